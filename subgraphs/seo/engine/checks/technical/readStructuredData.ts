import type { AnalysisContext } from '../AnalysisContext.ts';

/** A typed node of JSON-LD. */
export interface SchemaNode {
  /** Names without the `schema.org` address. */
  types: readonly string[];
  properties: ReadonlySet<string>;
}

export interface StructuredData {
  /** Whether structured data was submitted or is in the body, even if it cannot be parsed. */
  isKnown: boolean;
  nodes: readonly SchemaNode[];
  /** Sources that are no JSON, or no objects. */
  unreadable: number;
}

const vocabulary = /^https?:\/\/schema\.org\//;
const mostNodes = 500;

function isFilled(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

function toNode(source: Record<string, unknown>): SchemaNode {
  const type = source['@type'];
  const names = (Array.isArray(type) ? type : [type]).filter(
    (name): name is string => typeof name === 'string',
  );
  return {
    types: names.map((name) => name.replace(vocabulary, '')),
    properties: new Set(Object.keys(source).filter((key) => isFilled(source[key]))),
  };
}

/**
 * Collects top-level nodes: lists and `@graph` are expanded, properties are not. It is iterative, so nesting cannot
 * overflow the stack.
 */
function readNodes(source: unknown, nodes: SchemaNode[]): boolean {
  const pending: unknown[] = [source];
  let readable = true;
  for (const value of pending) {
    if (nodes.length >= mostNodes) break;
    if (Array.isArray(value)) {
      for (const entry of value) pending.push(entry);
    } else if (typeof value === 'object' && value !== null) {
      const record = value as Record<string, unknown>;
      if (record['@type'] !== undefined) nodes.push(toNode(record));
      if (record['@graph'] !== undefined) pending.push(record['@graph']);
      else if (record['@type'] === undefined) readable = false;
    } else {
      readable = false;
    }
  }
  return readable;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the JSON-LD of the input and of `<script type="application/ld+json">` in the body. */
export function readStructuredData({ input, document }: AnalysisContext): StructuredData {
  const sources = document.structuredData.map((source) => parse(source.json));
  const submitted = input.schema;
  if (submitted !== undefined && submitted !== null) {
    sources.push(typeof submitted === 'string' ? parse(submitted) : submitted);
  }
  const nodes: SchemaNode[] = [];
  const unreadable = sources.filter((source) => !readNodes(source, nodes)).length;
  return { isKnown: sources.length > 0, nodes, unreadable };
}
