import type { Platform } from '../../platform/context/Platform.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { wakeJob } from '../../platform/jobs/wakeJob.ts';
import { ListingColumns } from '../catalog/columns/ListingColumns.ts';
import { narrow } from '../catalog/columns/selectRows.ts';
import { toRowTests } from '../catalog/columns/toRowTests.ts';
import type { CatalogListingRecord } from '../catalog/model.ts';
import { shownListings } from '../catalog/shownListings.ts';
import { toStems } from '../catalog/words/toStems.ts';
import { findInstallation } from '../event/findInstallation.ts';
import { SavedSearchModel, type SavedSearchRecord, SearchHitModel, type SearchHitRecord } from './model.ts';
import { stemsOf, tokensOf } from './tokensOf.ts';
import { toSearch } from './toSearch.ts';

/** What is matched where. */
interface Place {
  platform: Platform;
  installation: Installation;
}

/** Pairs of a listing and a search. */
interface Outcome {
  examined: number;
  matched: number;
}

/** Searches of a command. */
const pageSize = 2000;
/** Each may have thousands of words, all of which stand in one command. */
const listingsAtOnce = 50;
/** What was published before is no news to anybody, whoever tells of it now. */
const freshMs = 7 * 24 * 3600 * 1000;

/**
 * Matches new listings with the searches whose owners want to be told at once, and notes what is to be told. Looked at
 * are only searches that stand under a token of a listing, so the cost is that of the listings, whatever the number of
 * searches that are kept. The same listing may come again: it is told once.
 *
 * @returns how many pairs of a listing and a search were compared, and how many matched
 */
export async function matchPublished(
  { platform, installationId }: { platform: Platform; installationId: string },
  listingIds: readonly string[],
): Promise<Outcome> {
  const place = { platform, installation: await findInstallation(installationId, platform) };
  const sum = { examined: 0, matched: 0 };
  if (!(await isAnyKept(installationId))) return sum;
  for (let start = 0; start < listingIds.length; start += listingsAtOnce) {
    const { examined, matched } = await matchSome(place, listingIds.slice(start, start + listingsAtOnce));
    sum.examined += examined;
    sum.matched += matched;
  }
  if (sum.matched > 0) wakeJob(platform, 'identity.search-alerts');
  return sum;
}

/** Where nobody wants to be told, nothing needs to be known of the listings. */
async function isAnyKept(installationId: string): Promise<boolean> {
  const searches = scoped(SavedSearchModel, installationId);
  return (await searches.findOne({ anchors: { $gte: '' } }, { projection: { _id: 1 } })) !== null;
}

async function matchSome(place: Place, ids: readonly string[]): Promise<Outcome> {
  const { id: installationId } = place.installation;
  const listings = await readListings(place, ids);
  const sum = { examined: 0, matched: 0 };
  for await (const searches of readCandidates(installationId, [...listings.byToken.keys()])) {
    const hits: Hit[] = [];
    for (const search of searches) {
      const rows = new Set(search.anchors?.flatMap((anchor) => listings.byToken.get(anchor) ?? []));
      sum.examined += rows.size;
      hits.push(...findHits(search, [...rows], listings, place));
    }
    sum.matched += hits.length;
    if (hits.length > 0) await scoped(SearchHitModel, installationId).insertAbsent(hits);
  }
  return sum;
}

type Hit = Omit<SearchHitRecord, 'installationId'>;
type Candidate = Pick<SavedSearchRecord, '_id' | 'userId' | 'query' | 'lastSeenAt' | 'anchors'>;

/** New listings, in columns and by what searches for them stand under. */
interface Listings {
  copies: readonly CatalogListingRecord[];
  columns: ListingColumns;
  stems: readonly ReadonlySet<string>[];
  byToken: ReadonlyMap<string, number[]>;
}

async function readListings({ platform, installation }: Place, ids: readonly string[]): Promise<Listings> {
  const since = new Date(platform.now() - freshMs);
  const copies = await shownListings({ installationId: installation.id, platform }).find(
    { _id: { $in: [...ids] }, publishedAt: { $gt: since } },
    { sort: { _id: 1 } },
  );
  const columns = new ListingColumns();
  const stems = copies.map(stemsOf);
  const byToken = new Map<string, number[]>();
  for (const [row, copy] of copies.entries()) {
    // Into an empty set of columns rows go in their order.
    columns.put(copy);
    for (const token of tokensOf(copy, stems[row])) {
      const rows = byToken.get(token);
      if (rows) rows.push(row);
      else byToken.set(token, [row]);
    }
  }
  return { copies, columns, stems, byToken };
}

/** Searches that are kept under one of the tokens, in pages. */
async function* readCandidates(
  installationId: string,
  tokens: readonly string[],
): AsyncGenerator<Candidate[]> {
  if (tokens.length === 0) return;
  const projection = { userId: 1, query: 1, lastSeenAt: 1, anchors: 1 } as const;
  for (let after = ''; ; ) {
    const page = await scoped(SavedSearchModel, installationId).find(
      { anchors: { $in: [...tokens] }, _id: { $gt: after } },
      { projection, sort: { _id: 1 }, limit: pageSize },
    );
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}

function findHits(
  { _id, userId, query, lastSeenAt }: Candidate,
  candidates: readonly number[],
  { copies, columns, stems }: Listings,
  { platform, installation }: Place,
): Hit[] {
  const rows = { rows: Uint32Array.from(candidates), length: candidates.length };
  narrow(rows, toRowTests(toSearch(query, { installation }, lastSeenAt), columns));
  const words = query.q === null ? null : toStems(query.q, query.locale ?? '');
  const now = new Date(platform.now());
  return [...rows.rows.subarray(0, rows.length)].flatMap((row) => {
    const copy = copies[row];
    const isFound = words === null || [...words].some((word) => stems[row]?.has(word));
    // Nobody searches for his own.
    if (!copy || !isFound || copy.seller.id === userId) return [];
    const { _id: listingId, publishedAt } = copy;
    return [
      {
        _id: `${_id}.${listingId}`,
        searchId: _id,
        userId,
        listingId,
        publishedAt,
        dueAt: now,
        createdAt: now,
      },
    ];
  });
}
