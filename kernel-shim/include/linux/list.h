/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_LIST_H
#define _LINUX_LIST_H

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/mm_types.h>

/*
 * Modelled: Linux lists. A node may live in a page descriptor, so every write first lets the undo log see that
 * descriptor (list_touch), and a descriptor remembers which arena list it is on (list_enter, list_leave) so that
 * the checks need no walk.
 */

/* The descriptor that a node lives in, or NULL. */
static inline struct page *list_page(const struct list_head *node)
{
	unsigned long offset = (unsigned long)node - (unsigned long)vmemmap;

	return offset < nr_vmemmap * sizeof(struct page) ?
		       (struct page *)((unsigned long)node & ~(sizeof(struct page) - 1)) :
		       NULL;
}

static inline void list_touch(struct list_head *node)
{
	struct page *page = list_page(node);

	if (page)
		world_touch_page(page);
}

/* node goes on the list of neighbour: another page's, or the one that neighbour is the head of. */
static inline void list_enter(struct list_head *node, const struct list_head *neighbour)
{
	struct page *page = list_page(node);
	const struct page *other = list_page(neighbour);

	if (page)
		page->list = other ? other->list : (unsigned short)world_arena_offset(neighbour);
}

static inline void list_leave(struct list_head *node)
{
	struct page *page = list_page(node);

	if (page)
		page->list = 0;
}

#define LIST_POISON1 ((struct list_head *)0x100)
#define LIST_POISON2 ((struct list_head *)0x200)

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

/* Poison, a null pointer, or a compound tail's link to its head: following it is an oops, not a link. */
static inline bool list_link_is_broken(const struct list_head *neighbour)
{
	return (unsigned long)neighbour < 4096 || ((unsigned long)neighbour & (sizeof(long) - 1));
}

/* PORT: what would be an oops in Linux is a BUG here. */
static inline struct list_head *list_follow(struct list_head *neighbour)
{
	BUG_ON(list_link_is_broken(neighbour));
	return neighbour;
}

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list_touch(list);
	list->next = list;
	list->prev = list;
}

static inline void __list_add(struct list_head *node, struct list_head *prev, struct list_head *next,
			      struct list_head *neighbour)
{
	list_touch(node);
	list_touch(prev);
	list_touch(next);
	list_enter(node, neighbour);
	next->prev = node;
	node->next = next;
	node->prev = prev;
	prev->next = node;
}

static inline void list_add(struct list_head *node, struct list_head *head)
{
	__list_add(node, head, list_follow(head->next), head);
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	__list_add(node, list_follow(head->prev), head, head);
}

static inline void __list_del_entry(struct list_head *entry)
{
	struct list_head *next = list_follow(entry->next);
	struct list_head *prev = list_follow(entry->prev);

	list_touch(entry);
	list_touch(prev);
	list_touch(next);
	list_leave(entry);
	next->prev = prev;
	prev->next = next;
}

static inline void list_del(struct list_head *entry)
{
	__list_del_entry(entry);
	entry->next = LIST_POISON1;
	entry->prev = LIST_POISON2;
}

static inline void list_move(struct list_head *entry, struct list_head *head)
{
	__list_del_entry(entry);
	list_add(entry, head);
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry(list_follow((head)->next), type, member)
#define list_last_entry(head, type, member) list_entry(list_follow((head)->prev), type, member)
#define list_first_entry_or_null(head, type, member)                                                   \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(pos, member) list_entry(list_follow((pos)->member.next), __typeof__(*(pos)), member)
#define list_for_each(pos, head)                                                                       \
	for (pos = list_follow((head)->next); pos != (head); pos = list_follow(pos->next))
#define list_for_each_entry(pos, head, member)                                                         \
	for (pos = list_first_entry(head, __typeof__(*pos), member); &pos->member != (head);           \
	     pos = list_next_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member)                                                 \
	for (pos = list_first_entry(head, __typeof__(*pos), member), n = list_next_entry(pos, member); \
	     &pos->member != (head); pos = n, n = list_next_entry(n, member))

#endif
