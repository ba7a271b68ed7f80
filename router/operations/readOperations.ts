import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** A document that a frontend was built with. */
export interface RegisteredDocument {
  /** SHA-256 of the document in hexadecimal, which clients send instead of it. */
  readonly id: string;
  readonly text: string;
}

/** Returns the SHA-256 of a document's text in hexadecimal, which all common clients use as its id. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads registered operations from
 * - a manifest `{"<id>": "<document>"}`, as written by graphql-codegen's persisted documents and Relay;
 * - a manifest `{"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id", "body"}]}`, as
 *   written by Apollo's generator;
 * - a folder: its manifests (`.json`), and its `.graphql` and `.gql` files, whose id is the SHA-256 of their text.
 *
 * @throws Error that names the file and its error
 */
export function readOperations(place: string): RegisteredDocument[] {
  const byId = new Map<string, RegisteredDocument>();
  for (const document of filesOf(place).flatMap(readFile)) {
    const known = byId.get(document.id);
    if (known !== undefined && known.text !== document.text)
      throw new Error(`"${place}" has two documents with the id "${document.id}".`);
    byId.set(document.id, document);
  }
  return [...byId.values()];
}

function filesOf(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false }))
    throw new Error(`The file or folder "${place}" does not exist.`);
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:json|graphql|gql)$/.test(name))
    .sort()
    .map((name) => path.join(place, name));
}

function readFile(file: string): RegisteredDocument[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.json')) return [{ id: hashOf(text), text }];
  return toDocuments(file, parseJson(file, text));
}

function parseJson(file: string, text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(`"${file}" is not JSON.`, { cause: error });
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return parsed as Record<string, unknown>;
  throw new Error(`"${file}" is not a manifest of operations: it must be an object.`);
}

function toDocuments(file: string, manifest: Record<string, unknown>): RegisteredDocument[] {
  const { format, version, operations } = manifest;
  if (format === undefined) return Object.entries(manifest).map(([id, text]) => toDocument(file, id, text));
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations)) {
    throw new Error(
      `"${file}" has an unsupported manifest format: "${String(format)}", version ${String(version)}.`,
    );
  }
  return operations.map((entry: unknown) => {
    const { id, body } = (entry ?? {}) as { id?: unknown; body?: unknown };
    return toDocument(file, id, body);
  });
}

function toDocument(file: string, id: unknown, text: unknown): RegisteredDocument {
  if (typeof id !== 'string' || id === '' || typeof text !== 'string')
    throw new Error(`"${file}" has an operation without an id or a document.`);
  return { id: withoutAlgorithm(id), text };
}

/** Returns an id without the prefix `sha256:`, which identifies the same document. */
export function withoutAlgorithm(id: string): string {
  return id.startsWith('sha256:') ? id.slice('sha256:'.length) : id;
}
