import { scoped } from '../../../../../platform/installation/scoped.ts';
import { CatalogListingModel } from '../../public-listing/model.ts';
import { indexOf } from '../engine/indexOf.ts';
import {
  type FeedRun,
  type FeedTarget,
  type InstallationFeed,
  sourceProjection,
} from './InstallationFeed.ts';
import { toSearchDocument } from './toSearchDocument.ts';
import { type DocumentWrite, versionOf } from './writeDocuments.ts';

/** A listing whose document differs from the database. */
export interface Difference {
  id: string;
  /** Null if the listing is not published. */
  inDatabase: number | null;
  /** Null if there is no document. */
  inIndex: number | null;
}

/** Result of a comparison. */
export interface Comparison {
  listings: number;
  differences: Difference[];
}

interface Versioned {
  id: string;
  version: number;
}

const pageSize = 2000;

/**
 * Compares the versions of all listings of an installation with those of the index. With `repairWith`, it also writes
 * the listings that differ. Changes that are not written yet are differences as well.
 */
export async function compareInstallation(
  target: FeedTarget,
  { repairWith, run }: { repairWith?: InstallationFeed; run: FeedRun },
): Promise<Comparison> {
  const differences: Difference[] = [];
  await target.engine.administer((client) => client.indices.refresh({ index: [target.index] }));
  let listings = 0;
  const documents = indexed(target);
  let document = await next(documents);
  const note = (difference: Difference) => void differences.push(difference);
  for await (const copy of stored(target)) {
    listings += 1;
    for (; document && document.id < copy.id; document = await next(documents))
      note({ id: document.id, inDatabase: null, inIndex: document.version });
    const inIndex = document?.id === copy.id ? document.version : null;
    if (inIndex !== copy.version) note({ id: copy.id, inDatabase: copy.version, inIndex });
    if (inIndex !== null) document = await next(documents);
  }
  for (; document; document = await next(documents))
    note({ id: document.id, inDatabase: null, inIndex: document.version });
  if (repairWith) await repair(target, differences, { feed: repairWith, run });
  return { listings, differences };
}

/**
 * Writes listings as they are in the database. If the database was restored from a backup, the index may have newer
 * versions, which only a rebuild replaces.
 */
export async function repair(
  { installationId }: FeedTarget,
  differences: readonly Difference[],
  { feed, run }: { feed: InstallationFeed; run: FeedRun },
): Promise<void> {
  for (let start = 0; start < differences.length; start += pageSize) {
    const part = differences.slice(start, start + pageSize);
    const copies = await scoped(CatalogListingModel, installationId).find(
      { _id: { $in: part.map(({ id }) => id) } },
      { projection: sourceProjection },
    );
    const byId = new Map(copies.map((copy) => [copy._id, copy]));
    const writes = part.map(({ id, inIndex }): DocumentWrite => {
      const copy = byId.get(id);
      const version = copy ? versionOf(copy.changedAt) : (inIndex ?? 0) + 1;
      return { id, installationId, version, document: copy ? toSearchDocument(copy) : null };
    });
    await run.assertHeld();
    await feed.apply(writes);
    run.onProgress?.(part.length);
  }
}

async function* stored({ installationId }: FeedTarget): AsyncGenerator<Versioned> {
  const copies = scoped(CatalogListingModel, installationId);
  for (let after = ''; ; ) {
    const page = await copies.find(
      { _id: { $gt: after } },
      { projection: { changedAt: 1 }, sort: { _id: 1 }, limit: pageSize, inOneBatch: true },
    );
    for (const { _id, changedAt } of page) yield { id: _id, version: versionOf(changedAt) };
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}

async function* indexed({ engine, index, installationId }: FeedTarget): AsyncGenerator<Versioned> {
  const documents = indexOf(engine, installationId);
  for (let after = ''; ; ) {
    const { hits } = await documents.search({
      index,
      filter: [],
      sort: [{ id: { order: 'asc' } }],
      search_after: [after],
      version: true,
      size: pageSize,
      track_total_hits: false,
    });
    for (const { _id = '', _version = 0 } of hits.hits) yield { id: _id, version: _version };
    const last = hits.hits.at(-1)?._id;
    if (last === undefined || hits.hits.length < pageSize) return;
    after = last;
  }
}

async function next(generator: AsyncGenerator<Versioned>): Promise<Versioned | null> {
  const { value, done } = await generator.next();
  return done ? null : value;
}
