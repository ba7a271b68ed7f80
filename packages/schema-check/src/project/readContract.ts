import { Supergraph } from '@apollo/federation-internals';
import type { Change } from '../Change.ts';
import type { Contract } from '../Contract.ts';
import { type Composed, composeSupergraph } from '../compose/composeSupergraph.ts';
import { toApiSdl } from '../compose/toApiSdl.ts';
import { expandManifests } from '../documents/expandManifests.ts';
import type { Json } from '../rest/Json.ts';
import { UsageError } from '../UsageError.ts';
import type { Configuration } from './readConfiguration.ts';
import type { Source } from './Source.ts';

/** A contract as a source has it. */
export interface ReadContract {
  readonly contract: Contract;
  /** Configured files that the source does not have. */
  readonly missing: readonly string[];
  /** Configured files that differ from what the subgraphs compose to. */
  readonly stale: readonly string[];
  /** Files of operations that cannot be read. */
  readonly findings: readonly Change[];
  /** Reason why the subgraphs do not compose, in which case there is neither supergraph nor public schema. */
  readonly failure: string | null;
}

/**
 * Reads a contract.
 *
 * @throws UsageError if a file of the source cannot be parsed
 */
export async function readContract(source: Source, configuration: Configuration): Promise<ReadContract> {
  const missing: string[] = [];
  const read = async (file: string | undefined): Promise<string | null> => {
    if (file === undefined) return null;
    const text = await source.read(file);
    if (text === null) missing.push(file);
    return text;
  };
  const [supergraph, api, openApi] = [
    await read(configuration.supergraph),
    await read(configuration.api),
    await read(configuration.openApi),
  ];
  const subgraphs = [];
  for (const subgraph of configuration.subgraphs ?? [])
    subgraphs.push({ ...subgraph, sdl: await read(subgraph.file) });
  const files = await source.list(configuration.operations);
  const documents = [];
  for (const file of files ?? []) documents.push({ file, text: (await source.read(file)) ?? '' });
  const { operations, findings } = expandManifests(documents);
  if (files === null && configuration.operations.length > 0) missing.push(...configuration.operations);

  const { composed, failure } = composeAll(subgraphs);
  const expected = [
    [configuration.supergraph, supergraph, composed?.supergraph],
    [configuration.api, api, composed?.api],
  ] as const;
  const stale = expected.flatMap(([file, text, composition]) =>
    file !== undefined && text !== null && composition !== undefined && text.trim() !== composition.trim()
      ? [file]
      : [],
  );
  const committed = () => ({
    supergraph,
    api: api ?? (supergraph === null ? null : deriveApi(supergraph, source)),
  });
  const nothing = { supergraph: null, api: null };
  return {
    contract: {
      ...(failure === null ? (composed ?? committed()) : nothing),
      openApi: openApi === null ? null : parseOpenApi(openApi, configuration.openApi ?? '', source),
      operations,
    },
    missing,
    stale,
    findings,
    failure,
  };
}

type Composition = { readonly composed: Composed | null; readonly failure: string | null };

type FoundSubgraph = { readonly name: string; readonly url: string; readonly sdl: string | null };

/** Composes the subgraphs. A source without one of them has no composition, which is reported as missing files. */
function composeAll(subgraphs: readonly FoundSubgraph[]): Composition {
  const complete = subgraphs.flatMap(({ name, url, sdl }) => (sdl === null ? [] : [{ name, url, sdl }]));
  if (complete.length === 0 || complete.length < subgraphs.length) return { composed: null, failure: null };
  try {
    return { composed: composeSupergraph(complete), failure: null };
  } catch (error) {
    return { composed: null, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the schema that clients see of a supergraph. */
export function deriveApi(supergraph: string, { name }: Pick<Source, 'name'>): string {
  try {
    const parsed = Supergraph.build(supergraph, { supportedFeatures: null, validateSupergraph: false });
    return toApiSdl(parsed.apiSchema().toGraphQLJSSchema());
  } catch (error) {
    throw new UsageError(`The supergraph of ${name} cannot be read (${firstLine(error)}).`, { cause: error });
  }
}

/**
 * Parses an OpenAPI document.
 *
 * @throws UsageError if it is not a JSON object
 */
export function parseOpenApi(text: string, file: string, { name }: Pick<Source, 'name'>): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
    throw new Error('it is not an object');
  } catch (error) {
    throw new UsageError(`${file} of ${name} is not an OpenAPI document in JSON (${firstLine(error)}).`, {
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
