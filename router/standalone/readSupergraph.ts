import { readFile } from 'node:fs/promises';
import { type DocumentNode, parse } from 'graphql';
import { assertSupported, readSubgraphs, type StatedSubgraph } from '../execution/readSubgraphs.ts';

/** A supergraph that can be served. */
export interface ReadSupergraph {
  readonly sdl: string;
  /** With the address of each, by which it is reached. */
  readonly subgraphs: readonly StatedSubgraph[];
}

/**
 * Reads a supergraph from its file.
 *
 * @param urls addresses by subgraph that replace those of the supergraph
 * @throws Error in one sentence: what is wrong, and with which file
 */
export async function readSupergraph(
  file: string,
  urls: Readonly<Record<string, string>> = {},
): Promise<ReadSupergraph> {
  const sdl = await readText(file);
  const document = parseSupergraph(file, sdl);
  const stated = readSubgraphs(document);
  if (stated.length === 0) {
    throw new Error(
      `"${file}" is no supergraph: it has no subgraphs (join__Graph). Compose the subgraphs first, as with rover or @theguild/federation-composition.`,
    );
  }
  assertSupported(document);
  const unknown = Object.keys(urls).filter((name) => stated.every((subgraph) => subgraph.name !== name));
  if (unknown.length > 0) throw new Error(`The supergraph has no subgraph "${unknown.join('", "')}".`);
  const subgraphs = stated.map(({ name, url }) => ({ name, url: urls[name] ?? url }));
  const lost = subgraphs.filter(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''));
  if (lost.length > 0) {
    throw new Error(
      `The supergraph states no address for ${lost.map(({ name }) => `"${name}"`).join(', ')}: give one with --subgraph-url name=http://…`,
    );
  }
  return { sdl, subgraphs };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'ENOENT' ? `There is no file "${file}".` : `The file "${file}" cannot be read (${code}).`,
      { cause: error },
    );
  }
}

function parseSupergraph(file: string, sdl: string): DocumentNode {
  try {
    return parse(sdl, { noLocation: true });
  } catch (error) {
    throw new Error(`"${file}" is no GraphQL: ${(error as Error).message}`, { cause: error });
  }
}
