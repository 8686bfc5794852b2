// SPDX-License-Identifier: GPL-2.0
/*
 * world.c - a restore brings every byte back, and a write that the log did not see is found (kernel-shim/world.c).
 *
 * The random tests use their own generator, so that a failure is the same on every machine.
 */
#include "tests/support.h"

static unsigned int random_state = 12345;

static unsigned int random_below(unsigned int limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

static struct page *random_page(void)
{
	return vmemmap + random_below((unsigned int)nr_vmemmap);
}

static void write_page(void)
{
	struct page *page = random_page();

	switch (random_below(6)) {
	case 0:
		set_page_private(page, random_below(100));
		break;
	case 1:
		set_page_index(page, random_below(100));
		break;
	case 2:
		set_page_count(page, (int)random_below(3));
		break;
	case 3:
		page_flags_write(page, random_below(0x1000));
		break;
	case 4:
		INIT_LIST_HEAD(&page->lru);
		break;
	case 5:
		__SetPageBuddy(page);
		break;
	}
}

static void write_pageblock(void)
{
	unsigned long pfn = random_below((unsigned int)nr_vmemmap);

	if (physmem_present(pfn))
		set_pfnblock_migratetype_bits(pfn_to_page(pfn), pfn, random_below(6));
}

static void write_arena_and_globals(void)
{
	struct zone *zone = &NODE_DATA(0)->node_zones[random_below(MAX_NR_ZONES)];

	zone->watermark[random_below(NR_WMARK)] = random_below(1000);
	zone->free_area[random_below(MAX_ORDER)].nr_free = random_below(1000);
	tasks[random_below(TASKS_MAX)].flags = random_below(1000);
	cpu_contexts[random_below(NR_CPUS)].locks_held = random_below(10);
	jiffies += random_below(10);
}

static void write_anything(void)
{
	unsigned int i;

	for (i = 0; i < 200; i++) {
		if (random_below(4) == 0)
			world_next_op();
		write_page();
		write_pageblock();
		write_arena_and_globals();
	}
}

static void expect_no_difference(void)
{
	const char *found = world_difference();

	cr_assert_null(found, "%s", found);
}

static void expect_difference(const char *sentence)
{
	const char *found = world_difference();

	cr_assert_not_null(found, "nothing was found instead of: %s", sentence);
	cr_assert(strstr(found, sentence), "found: %s, expected: %s", found, sentence);
}

Test(world, a_booted_machine_is_pristine)
{
	boot_machine("numa4");
	expect_no_difference();
}

Test(world, a_restore_brings_every_byte_back)
{
	unsigned int round;

	boot_machine("numa4");
	for (round = 0; round < 100; round++) {
		write_anything();
		world_restore();
		expect_no_difference();
	}
}

Test(world, a_restore_brings_every_byte_back_after_real_allocations)
{
	struct page *pages[64];
	unsigned int round;
	unsigned int i;

	boot_machine("uma-64m");
	for (round = 0; round < 10; round++) {
		for (i = 0; i < 64; i++)
			pages[i] = alloc_pages(GFP_KERNEL, i % 5);
		for (i = 0; i < 32; i++)
			__free_pages(pages[i], i % 5);
		world_restore();
		expect_no_difference();
	}
}

Test(world, entering_another_machine_leaves_no_trace_of_the_former)
{
	struct world *first = boot_machine("numa4");
	struct world *second;

	write_anything();
	second = boot_machine("uma-64m");
	expect_no_difference();
	write_anything();
	world_enter(first);
	expect_no_difference();
	cr_expect_eq(machine->nr_nodes, 4);
	write_anything();
	world_enter(second);
	expect_no_difference();
	cr_expect_eq(machine->nr_nodes, 1);
}

Test(world, entering_the_current_machine_again_undoes_what_ran)
{
	struct world *world = boot_machine("numa2");

	write_anything();
	world_enter(world);
	expect_no_difference();
}

/* Frame 0x123 lies inside a free block: its descriptor is zero, and was never written. */
Test(world, a_missed_write_to_an_untouched_descriptor_is_found)
{
	boot_machine("uma-64m");
	vmemmap[0x1123].private = 7;
	world_restore();
	expect_difference("descriptor of frame 0x1123: byte 48 ");
}

/* Frame 0x1000 heads a free block of order 10. */
Test(world, a_missed_write_to_a_descriptor_that_the_boot_wrote_is_found)
{
	boot_machine("uma-64m");
	vmemmap[0x1000].private = 9;
	world_restore();
	expect_difference("descriptor of frame 0x1000: byte 48 ");
}

Test(world, a_missed_write_to_a_pageblock_word_is_found)
{
	boot_machine("uma-64m");
	pageblock_flags[0] ^= 1;
	world_restore();
	expect_difference("pageblock word 0: 0x1111111111111110 instead of 0x1111111111111111");
}

Test(world, a_write_between_two_runs_is_found)
{
	boot_machine("uma-64m");
	world_restore();
	NODE_DATA(0)->kswapd_max_order = 3;
	expect_difference(" of the arena: 0x3 instead of 0");
	NODE_DATA(0)->kswapd_max_order = 0;
	expect_no_difference();
	tasks[3].prio++;
	expect_difference(" of the globals: 0x79 instead of 0x78");
}

Test(world, a_page_is_saved_once_in_a_run_with_what_it_was)
{
	const struct page *before;

	boot_machine("tiny");
	set_page_private(&vmemmap[5], 11);
	world_next_op();
	set_page_private(&vmemmap[5], 22);
	cr_assert_eq(world_nr_saved(), 1);
	cr_expect_eq(world_saved(0, &before), &vmemmap[5]);
	cr_expect_eq(before->private, 0);
	cr_expect_eq(before->stamp, 0);
}

Test(world, pages_are_touched_once_in_an_operation_in_order)
{
	boot_machine("tiny");
	set_page_private(&vmemmap[5], 11);
	world_next_op();
	cr_expect_eq(world_nr_touched(), 0);
	set_page_private(&vmemmap[9], 1);
	set_page_private(&vmemmap[5], 2);
	set_page_private(&vmemmap[9], 3);
	cr_assert_eq(world_nr_touched(), 2);
	cr_expect_eq(world_touched(0), &vmemmap[9]);
	cr_expect_eq(world_touched(1), &vmemmap[5]);
}

Test(world, a_write_that_changes_nothing_touches_nothing)
{
	boot_machine("tiny");
	set_page_private(&vmemmap[5], 0);
	cr_expect_eq(world_nr_touched(), 0);
}

Test(world, stamps_start_again_with_each_run)
{
	struct world *world = boot_machine("tiny");

	cr_expect_eq(world_stamp, 1);
	world_next_op();
	set_page_private(&vmemmap[5], 11);
	cr_expect_eq(vmemmap[5].stamp, 2);
	world_restore();
	cr_expect_eq(vmemmap[5].stamp, 0);
	world_enter(world);
	cr_expect_eq(world_stamp, 1);
}

static void touch_past_the_end(void *argument)
{
	world_touch_page(vmemmap + nr_vmemmap);
}

/* The map is followed by other memory of this test, which only has to be there. */
Test(world, a_write_past_the_last_descriptor_is_a_finding)
{
	boot_machine("pc");
	nr_vmemmap -= 1024;
	expect_finding(FINDING_BUG, "write outside the memory map", touch_past_the_end, NULL);
}

/*
 *   arena:  head <-> page 5 <-> page 9
 */
Test(world, a_page_knows_the_arena_list_it_is_on)
{
	struct list_head *head;

	boot_machine("tiny");
	head = &NODE_DATA(0)->node_zones[ZONE_DMA].free_area[3].free_list[MIGRATE_MOVABLE];
	list_add(&vmemmap[5].lru, head);
	cr_expect_eq(vmemmap[5].list, world_arena_offset(head));
	cr_expect_neq(vmemmap[5].list, 0);
	list_add(&vmemmap[9].lru, &vmemmap[5].lru);
	cr_expect_eq(vmemmap[9].list, vmemmap[5].list);
	list_del(&vmemmap[5].lru);
	cr_expect_eq(vmemmap[5].list, 0);
	cr_expect_eq(vmemmap[9].list, world_arena_offset(head));
}

Test(world, a_page_on_a_list_outside_the_arena_is_on_none)
{
	LIST_HEAD(head);

	boot_machine("tiny");
	list_add(&vmemmap[5].lru, &head);
	cr_expect_eq(vmemmap[5].list, 0);
	list_add_tail(&vmemmap[9].lru, &vmemmap[5].lru);
	cr_expect_eq(vmemmap[9].list, 0);
}

static void *allocated[3];
static bool was_zero;

static void allocate(void *argument)
{
	unsigned long *words = world_alloc(16);

	was_zero = !words[0] && !words[1];
	memset(words, 0xff, 16);
	allocated[0] = words;
	world_alloc(5);
	allocated[1] = world_alloc(1);
	allocated[2] = world_alloc_pageblock_words(3);
}

static void fail_to_boot(void *argument)
{
	set_page_private(&vmemmap[1], 5);
	tasks[2].prio = 5;
	BUG_ON(vmemmap[1].private == 5);
}

static void allocate_too_much(void *argument)
{
	world_alloc(WORLD_ARENA_BYTES);
}

Test(world, arena_memory_is_zeroed_aligned_and_apart)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("tiny"), NULL, 0));
	cr_assert_not_null(world_boot(&config, allocate, NULL));
	cr_assert_not_null(world_boot(&config, allocate, NULL));
	cr_expect(was_zero);
	cr_expect_eq(world_arena_offset(allocated[0]), 1);
	cr_expect_eq(world_arena_offset(allocated[1]), 4);
	cr_expect_eq(world_arena_offset(allocated[2]), 0);
}

Test(world, a_boot_that_fails_leaves_nothing_to_enter)
{
	struct machine_config config;

	cr_assert_null(machine_configure(&config, preset_number("tiny"), NULL, 0));
	cr_expect_null(world_boot(&config, fail_to_boot, NULL));
	cr_expect_str_eq(finding.name, "fail_to_boot: vmemmap[1].private == 5");
	cr_expect_null(machine);
	finding.kind = FINDING_NONE;
	cr_expect_null(world_boot(&config, allocate_too_much, NULL));
	cr_expect_eq(finding.kind, FINDING_HARNESS);
	finding.kind = FINDING_NONE;
	boot_machine("tiny");
	cr_expect_eq(tasks[2].prio, 120);
	expect_no_difference();
}

Test(world, a_machine_can_be_freed_and_booted_again)
{
	unsigned int round;

	for (round = 0; round < 5; round++) {
		struct world *world = boot_machine("numa2");

		write_anything();
		world_free(world);
		cr_expect_null(vmemmap);
	}
}
