import DataLoader from 'dataloader';
import type { RequestContext } from '../context/RequestContext.ts';
import type { OwnedRecord, OwnedType, Words } from './askOwner.ts';

/**
 * How much is asked of a record. `access`: what its caller may do, whether readers see it, its language and address, and
 * nothing else, so that a thousand of them cost little. `texts`: its words as well. `details`: all there is.
 */
export type AskedOf = 'access' | 'texts' | 'details';

/** A record, and how much is asked of it; with words, as it would be shown in these. */
interface OwnedKey {
  type: OwnedType;
  id: string;
  asked: AskedOf;
  words?: Words;
  textId?: string;
}

/** What has been asked of owners in a request. */
export function ownedLoader(context: RequestContext): DataLoader<OwnedKey, OwnedRecord, string> {
  return new DataLoader((keys) => ask(context, keys), {
    maxBatchSize: 1000,
    cacheKeyFn: (key) => `${key.asked}:${nameOf(key)}`,
  });
}

/** Of a record as it is, and as it would be in other words. */
function nameOf({ type, id, textId }: OwnedKey): string {
  return textId ? `${type}:${id}:${textId}` : `${type}:${id}`;
}

const levels: readonly AskedOf[] = ['access', 'texts', 'details'];

/** Where a record is asked about twice, the fuller answer does for both. */
async function ask(context: RequestContext, keys: readonly OwnedKey[]): Promise<OwnedRecord[]> {
  if (context.depth > 0) throw new Error('A subgraph that is asked about a record must not ask another one.');
  const fullest = new Map<string, OwnedKey>();
  for (const key of keys) {
    const known = fullest.get(nameOf(key));
    if (!known || levels.indexOf(known.asked) < levels.indexOf(key.asked)) fullest.set(nameOf(key), key);
  }
  const alike = Map.groupBy(fullest.values(), ({ asked }) => asked);
  const answers = await Promise.all([...alike].map(([asked, some]) => askFor(context, some, asked)));
  const found = new Map(answers.flat());
  return keys.map((key) => found.get(nameOf(key)) ?? unknownRecord(key.id));
}

/** One operation; what is known afterwards, by the name of the question. */
async function askFor(
  context: RequestContext,
  keys: readonly OwnedKey[],
  asked: AskedOf,
): Promise<[string, OwnedRecord][]> {
  const representations = keys.map(({ type, id, words }) => ({
    __typename: type,
    id,
    ...(asked === 'access' && { asked }),
    ...(words && { words }),
  }));
  const wanted = { texts: asked !== 'access', details: asked === 'details' };
  const { _entities } = await context.platform.askOwner({ representations, ...wanted }, context);
  return keys.flatMap((key, index) => {
    const record = _entities[index];
    return record ? [[nameOf(key), toOwned(key.id, record)]] : [];
  });
}

/** Whether a reference asks for nothing but access, so that its owner may read the less. */
export function asksForAccess(reference: object): boolean {
  return 'asked' in reference && reference.asked === 'access';
}

const noTexts = { slug: null, title: '', html: '', fields: {} };

/** What was not asked for is null or empty. */
function toOwned(id: string, { content, ...found }: Omit<OwnedRecord, 'exists'>): OwnedRecord {
  return {
    ...found,
    id,
    exists: true,
    ownerId: found.ownerId ?? null,
    contentVersion: found.contentVersion ?? null,
    content: content && { ...noTexts, ...content },
  };
}

function unknownRecord(id: string): OwnedRecord {
  return {
    id,
    exists: false,
    ownerId: null,
    viewerCanRead: false,
    viewerCanEdit: false,
    viewerOnlyReads: false,
    contentVersion: null,
    content: null,
  };
}
