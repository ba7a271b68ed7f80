/** The stages of a stream's pipeline that the gateway evaluates instead of the engine. */
export interface SplitPipeline {
  /** Collections to which the stream is narrowed; undefined: all that it watches. */
  collections: ReadonlySet<string> | undefined;
  /** Whether events carry the whole document of an insertion or a replacement. */
  hasFullDocument: boolean;
  /** Stages that only the engine can evaluate. */
  rest: readonly unknown[];
}

/**
 * Extracts two stages that watchers of a whole database need: `{ $match: { 'ns.coll': … } }` followed by `{ $project: {
 * fullDocument: 0 } }`. Excluded data is then never decoded, and the engine is not needed.
 */
export function splitPipeline(pipeline: readonly unknown[]): SplitPipeline {
  const collections = readCollections(pipeline[0]);
  const behind = collections ? pipeline.slice(1) : pipeline;
  const hasFullDocument = !dropsFullDocument(behind[0]);
  return { collections, hasFullDocument, rest: hasFullDocument ? behind : behind.slice(1) };
}

function readCollections(stage: unknown): ReadonlySet<string> | undefined {
  const demanded = onlyMember(onlyMember(stage, '$match'), 'ns.coll');
  const names = typeof demanded === 'string' ? [demanded] : onlyMember(demanded, '$in');
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return undefined;
  return new Set(names);
}

function dropsFullDocument(stage: unknown): boolean {
  const shown = onlyMember(onlyMember(stage, '$project'), 'fullDocument');
  return shown === false || Number(shown ?? 1) === 0;
}

/** Returns the only member; undefined also if there are other members. */
function onlyMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const [[key, member] = [], ...others] = Object.entries(value);
  return key === name && others.length === 0 ? member : undefined;
}
