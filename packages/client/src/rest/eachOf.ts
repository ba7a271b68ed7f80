import type { Rest } from './createRest.ts';
import { dataOf } from './dataOf.ts';
import type { paths } from './paths.generated.ts';

/** Entry type of the list at a path; `never` for other paths. */
export type EntryOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { data: readonly (infer Entry)[] } } } } };
}
  ? Entry
  : never;

/** Paths that return a list. */
export type ListPath = { [Path in keyof paths]: [EntryOf<Path>] extends [never] ? never : Path }[keyof paths];

/** Parameters of a list. */
export type ListParameters<Path extends ListPath> = paths[Path] extends {
  get: { parameters: infer Parameters };
}
  ? Parameters
  : Record<string, never>;

export interface ListOptions {
  signal?: AbortSignal;
}

interface Page {
  data: unknown[];
  page?: { nextCursor: string | null };
}

/**
 * Iterates over the entries of a list. A page is requested when the previous one is consumed.
 *
 * @throws ProblemError during the iteration
 */
export async function* eachOf<Path extends ListPath>(
  rest: Rest,
  path: Path,
  parameters: ListParameters<Path>,
  { signal }: ListOptions = {},
): AsyncGenerator<EntryOf<Path>, void, undefined> {
  const get = rest.GET as unknown as (
    path: string,
    init: object,
  ) => Promise<{ data: Page; response: Response }>;
  const { query = {}, ...others } = parameters as { query?: object };
  let cursor: string | null | undefined;
  do {
    const next = cursor === undefined ? query : { ...query, cursor };
    const { data, page } = await dataOf(get(path, { params: { ...others, query: next }, signal }));
    yield* data as EntryOf<Path>[];
    cursor = page?.nextCursor ?? null;
  } while (cursor !== null);
}
