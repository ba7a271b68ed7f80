/** A stream's pipeline, as far as the gateway takes it over from the engine. */
export interface SplitPipeline {
  /** Collections to which the stream is narrowed; undefined: all that it watches. */
  collections: ReadonlySet<string> | undefined;
  /** Whether events carry the whole document of an insertion or a replacement. */
  hasFullDocument: boolean;
  /** Stages that only the engine can evaluate. */
  rest: readonly unknown[];
}

/**
 * Takes the two stages that every watcher of a whole database needs, `{ $match: { 'ns.coll': … } }` and then
 * `{ $project: { fullDocument: 0 } }`: what they leave out is never decoded, and the engine is asked nothing.
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

/** Undefined as well where there are other members. */
function onlyMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const [[key, member] = [], ...others] = Object.entries(value);
  return key === name && others.length === 0 ? member : undefined;
}
