import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type AttributeSchema, CategoryModel, type CategoryRecord } from './model.ts';

/** Value type of an attribute. */
export type AttributeKind = 'text' | 'whole' | 'decimal' | 'private';

interface Remembered {
  readonly categories: readonly CategoryRecord[];
  readonly kinds: ReadonlyMap<string, AttributeKind>;
}

/** Maximum age of cached categories in milliseconds. They rarely change, and every public search page reads them. */
const maxAgeMs = 5000;
const remembered = new WeakMap<Platform, LRUCache<string, Promise<Remembered>>>();

/**
 * Returns all categories of the installation, parents before their children. The result is at most five seconds old.
 */
export async function installationCategories(context: RequestContext): Promise<readonly CategoryRecord[]> {
  return (await remember(context)).categories;
}

/**
 * Returns the types of attributes of all categories by name. An attribute that holds numbers in any category is
 * numeric.
 */
export async function attributeKinds(context: RequestContext): Promise<ReadonlyMap<string, AttributeKind>> {
  return (await remember(context)).kinds;
}

function remember({ platform, installationId }: RequestContext): Promise<Remembered> {
  let known = remembered.get(platform);
  if (!known) {
    known = new LRUCache({ max: 1000, ttl: maxAgeMs });
    remembered.set(platform, known);
  }
  const cached = known.get(installationId);
  if (cached) return cached;
  const reading = read(installationId);
  known.set(installationId, reading);
  // Failures are not cached.
  reading.catch(() => known.delete(installationId));
  return reading;
}

async function read(installationId: string): Promise<Remembered> {
  const records = await scoped(CategoryModel, installationId).find(
    {},
    { sort: { parentId: 1, position: 1, _id: 1 } },
  );
  const categories = inTreeOrder(records);
  const kinds = new Map<string, AttributeKind>();
  for (const { attributeSchema } of categories)
    for (const [name, schema] of Object.entries(attributeSchema?.properties ?? {}))
      if (!isNumeric(kinds.get(name))) kinds.set(name, kindOf(schema));
  return { categories, kinds };
}

/** Sorts categories so that each one follows its parent, with siblings in their order. */
function inTreeOrder(records: readonly CategoryRecord[]): CategoryRecord[] {
  const children = Map.groupBy(records, ({ parentId }) => parentId);
  const below = (parentId: string | null): CategoryRecord[] =>
    (children.get(parentId) ?? []).flatMap((record) => [record, ...below(record._id)]);
  return below(null);
}

function kindOf(schema: AttributeSchema): AttributeKind {
  if (schema.private) return 'private';
  if (schema.type === 'integer') return 'whole';
  return schema.type === 'number' ? 'decimal' : 'text';
}

function isNumeric(kind: AttributeKind | undefined): boolean {
  return kind === 'whole' || kind === 'decimal';
}
