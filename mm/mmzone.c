// SPDX-License-Identifier: GPL-2.0
/*
 * mmzone.c - nodes, zones, zonelist iteration and construction, pageblock types (specification 3, 4 and 6).
 *
 * Linux builds zonelists in page_alloc.c; they are here beside the code that walks them. Left out: ZONE_DEVICE,
 * hotplug's rebuild under stop_machine (one thread runs at a time).
 */
#include "internal.h"

__world pg_data_t *node_data[MAX_NUMNODES];
__world int movable_zone;
__world unsigned char gfp_zone_table[16];
__world int page_group_by_mobility_disabled;
__world unsigned long vm_total_pages;

const char *const migratetype_names[MIGRATE_TYPES] = { "Unmovable", "Movable", "Reclaimable", "HighAtomic", "CMA",
						       "Isolate" };

struct zone *first_zone(void)
{
	return NODE_DATA(0)->node_zones;
}

struct zone *next_zone(struct zone *zone)
{
	pg_data_t *pgdat = zone->zone_pgdat;

	if (zone < pgdat->node_zones + MAX_NR_ZONES - 1)
		return zone + 1;
	return node_online(pgdat->node_id + 1) ? NODE_DATA(pgdat->node_id + 1)->node_zones : NULL;
}

static bool zref_in_nodemask(const struct zoneref *zref, const nodemask_t *nodes)
{
	return !machine->numa || node_isset(zonelist_node_idx(zref), *nodes);
}

/* Starts AT z; the result may be the sentinel, never NULL. The sentinel's index 0 ends every walk. */
struct zoneref *next_zones_zonelist(struct zoneref *z, int highest_zoneidx, nodemask_t *nodes)
{
	DEFINE_STEPS(steps);

	while (zonelist_zone_idx(z) > highest_zoneidx || (nodes && z->zone && !zref_in_nodemask(z, nodes))) {
		work_bound("next_zones_zonelist", ++steps, zonelist_most_zones(),
			   "a zonelist has each zone of the machine at most once");
		z++;
	}
	return z;
}

enum zone_type gfp_zone(gfp_t flags)
{
	unsigned int key = flags & GFP_ZONEMASK;

	VM_BUG_ON(0xe8e8U >> key & 1);
	return (enum zone_type)gfp_zone_table[key];
}

static unsigned char configured_or_normal(enum zone_type idx)
{
	return (unsigned char)(zone_configured(idx) ? idx : ZONE_NORMAL);
}

/* PORT: GFP_ZONE_TABLE is a compile-time word in Linux; zones are configured at boot here. */
static void build_gfp_zone_table(void)
{
	unsigned int lowest = 0;
	unsigned int key;

	while (!zone_configured(lowest))
		lowest++;
	for (key = 0; key < ARRAY_SIZE(gfp_zone_table); key++)
		gfp_zone_table[key] = (unsigned char)lowest;
	gfp_zone_table[0] = ZONE_NORMAL;
	gfp_zone_table[__GFP_DMA] = configured_or_normal(ZONE_DMA);
	gfp_zone_table[__GFP_HIGHMEM] = configured_or_normal(ZONE_HIGHMEM);
	gfp_zone_table[__GFP_DMA32] = configured_or_normal(ZONE_DMA32);
	gfp_zone_table[__GFP_MOVABLE] = ZONE_NORMAL;
	gfp_zone_table[__GFP_MOVABLE | __GFP_DMA] = configured_or_normal(ZONE_DMA);
	gfp_zone_table[__GFP_MOVABLE | __GFP_HIGHMEM] = ZONE_MOVABLE;
	gfp_zone_table[__GFP_MOVABLE | __GFP_DMA32] = configured_or_normal(ZONE_DMA32);
}

/*
 * Zonelists.
 */
__world static int node_load[MAX_NUMNODES];
__world static char zonelist_order_setting;

/* The order in force: 'n' or 'z'. Linux defaults to node order on 64-bit; without NUMA there is only one order. */
static char zonelist_order(void)
{
	return zonelist_order_setting == 'z' ? 'z' : 'n';
}

static bool zone_belongs_in_zonelist(const struct zone *zone)
{
	return patched(ZONELIST_PRESENT_PAGES) ? populated_zone(zone) : zone->managed_pages != 0;
}

static int append_zone(pg_data_t *pgdat, int idx, struct zonelist *zonelist, int nr)
{
	struct zone *zone = &pgdat->node_zones[idx];

	if (!zone_belongs_in_zonelist(zone))
		return nr;
	zonelist->_zonerefs[nr].zone = zone;
	zonelist->_zonerefs[nr].zone_idx = idx;
	return nr + 1;
}

static void terminate_zonelist(struct zonelist *zonelist, int nr)
{
	zonelist->_zonerefs[nr].zone = NULL;
	zonelist->_zonerefs[nr].zone_idx = 0;
}

static int build_zonelists_node(pg_data_t *pgdat, struct zonelist *zonelist, int nr)
{
	int idx;

	for (idx = MAX_NR_ZONES - 1; idx >= 0; idx--)
		nr = append_zone(pgdat, idx, zonelist, nr);
	return nr;
}

static int find_next_best_node(int node, nodemask_t *used_node_mask)
{
	int best_node = NUMA_NO_NODE;
	int min_val = 0;
	int n;

	if (!node_isset(node, *used_node_mask)) {
		node_set(node, used_node_mask);
		return node;
	}
	for_each_online_node(n) {
		int val;

		if (!NODE_DATA(n)->node_present_pages || node_isset(n, *used_node_mask))
			continue;
		val = node_distance(node, n) + (n < node) + (node_has_cpus(n) ? PENALTY_FOR_NODE_WITH_CPUS : 0);
		val = val * (nr_online_nodes * MAX_NUMNODES) + node_load[n];
		if (best_node == NUMA_NO_NODE || val < min_val) {
			min_val = val;
			best_node = n;
		}
	}
	if (best_node >= 0)
		node_set(best_node, used_node_mask);
	return best_node;
}

static int build_zonelists_in_zone_order(const int *order, int nr_nodes, struct zonelist *zonelist)
{
	int nr = 0;
	int idx;
	int i;

	for (idx = MAX_NR_ZONES - 1; idx >= 0; idx--)
		for (i = 0; i < nr_nodes; i++)
			nr = append_zone(NODE_DATA(order[i]), idx, zonelist, nr);
	return nr;
}

/* Specification 6.2 and 6.3. */
static void build_zonelists_numa(pg_data_t *pgdat)
{
	struct zonelist *zonelist = &pgdat->node_zonelists[ZONELIST_FALLBACK];
	nodemask_t used_mask = { 0 };
	int local_node = pgdat->node_id;
	int load = nr_online_nodes;
	int prev_node = local_node;
	int order[MAX_NUMNODES];
	int nr_nodes = 0;
	int nr = 0;
	int node;

	while ((node = find_next_best_node(local_node, &used_mask)) >= 0) {
		/* The first node of each distance is penalised for later builders, so that they spread. */
		if (node_distance(local_node, node) != node_distance(local_node, prev_node))
			node_load[node] = load;
		prev_node = node;
		load--;
		order[nr_nodes++] = node;
		if (zonelist_order() == 'n')
			nr = build_zonelists_node(NODE_DATA(node), zonelist, nr);
	}
	if (zonelist_order() == 'z')
		nr = build_zonelists_in_zone_order(order, nr_nodes, zonelist);
	terminate_zonelist(zonelist, nr);

	zonelist = &pgdat->node_zonelists[ZONELIST_NOFALLBACK];
	terminate_zonelist(zonelist, build_zonelists_node(pgdat, zonelist, 0));
}

/* Without NUMA: own node, then larger node ids ascending, then smaller ones. Matters for DISCONTIGMEM only. */
static void build_zonelists_flat(pg_data_t *pgdat)
{
	struct zonelist *zonelist = &pgdat->node_zonelists[ZONELIST_FALLBACK];
	int nr = build_zonelists_node(pgdat, zonelist, 0);
	int node;

	for (node = pgdat->node_id + 1; node < nr_online_nodes; node++)
		nr = build_zonelists_node(NODE_DATA(node), zonelist, nr);
	for (node = 0; node < pgdat->node_id; node++)
		nr = build_zonelists_node(NODE_DATA(node), zonelist, nr);
	terminate_zonelist(zonelist, nr);
	terminate_zonelist(&pgdat->node_zonelists[ZONELIST_NOFALLBACK], 0);
}

/* PORT: CONFIG_* decides how many migratetypes there are; here the machine does. */
static unsigned long nr_migratetypes(void)
{
	return MIGRATE_CMA + machine->cma + machine->isolation;
}

void build_all_zonelists(void)
{
	pg_data_t *pgdat;
	int node;

	build_gfp_zone_table();
	for_each_online_node(node)
		node_load[node] = 0;
	for_each_online_pgdat(pgdat) {
		if (machine->numa)
			build_zonelists_numa(pgdat);
		else
			build_zonelists_flat(pgdat);
	}
	vm_total_pages = nr_free_pagecache_pages();
	page_group_by_mobility_disabled = vm_total_pages < pageblock_nr_pages * nr_migratetypes();
	pr_info("Built %d zonelists in %s order, mobility grouping %s.  Total pages: %ld",
		(unsigned long)nr_online_nodes,
		(unsigned long)(!machine->numa || zonelist_order() == 'z' ? "Zone" : "Node"),
		(unsigned long)(page_group_by_mobility_disabled ? "off" : "on"), vm_total_pages);
}

static char lower_case(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter + 'a' - 'A') : letter;
}

/* The first letter decides: d(efault), n(ode), z(one). All lists are rebuilt if the setting changes. */
int numa_zonelist_order_handler(char letter)
{
	char setting = lower_case(letter);

	if (setting != 'd' && setting != 'n' && setting != 'z')
		return -EINVAL;
	if (zonelist_order_setting == 0)
		zonelist_order_setting = 'd';
	if (setting != zonelist_order_setting) {
		zonelist_order_setting = setting;
		build_all_zonelists();
	}
	return 0;
}

/*
 * Pageblocks: 4 bits each, one map for the machine as with SPARSEMEM, so that zones which meet inside a pageblock share
 * its type. A pageblock without memory reads as UNMOVABLE.
 */
__world unsigned long *pageblock_flags;

void pageblock_flags_init(void)
{
	unsigned long nr_blocks = DIV_ROUND_UP(nr_vmemmap, pageblock_nr_pages);

	pageblock_flags = world_alloc_pageblock_words(BITS_TO_LONGS(nr_blocks * NR_PAGEBLOCK_BITS));
}

/* PORT: the frame of what is no page, as a broken list gives, is an oops in Linux. Here it is a BUG. */
static unsigned long pageblock_bit(unsigned long pfn)
{
	BUG_ON(pfn >= round_up(nr_vmemmap, pageblock_nr_pages));
	return (pfn >> pageblock_order) * NR_PAGEBLOCK_BITS;
}

unsigned long get_pfnblock_migratetype_bits(const struct page *page, unsigned long pfn)
{
	unsigned long bit = pageblock_bit(pfn);

	return pageblock_flags[bit / BITS_PER_LONG] >> (bit % BITS_PER_LONG) & PB_MIGRATE_MASK;
}

void set_pfnblock_migratetype_bits(struct page *page, unsigned long pfn, unsigned long bits)
{
	unsigned long bit = pageblock_bit(pfn);
	unsigned long *word = &pageblock_flags[bit / BITS_PER_LONG];
	unsigned int shift = bit % BITS_PER_LONG;

	VM_BUG_ON_PAGE(!zone_spans_pfn(page_zone(page), pfn), page);
	world_touch_pageblock_word(word);
	*word = (*word & ~(PB_MIGRATE_MASK << shift)) | bits << shift;
}

int get_pfnblock_migratetype(const struct page *page, unsigned long pfn)
{
	return (int)get_pfnblock_migratetype_bits(page, pfn);
}

int get_pageblock_migratetype(const struct page *page)
{
	return get_pfnblock_migratetype(page, page_to_pfn(page));
}

void set_pageblock_migratetype(struct page *page, int migratetype)
{
	if (unlikely(page_group_by_mobility_disabled && migratetype < MIGRATE_PCPTYPES))
		migratetype = MIGRATE_UNMOVABLE;
	set_pfnblock_migratetype_bits(page, page_to_pfn(page), (unsigned long)migratetype);
}
