import { readFileSync } from 'node:fs';
import path from 'node:path';
import { onlyInterface } from '../../../schema/openapi/onlyInterface.ts';
import { defaultRestRoot } from '../../../schema/route/pathTemplate.ts';
import type { InterfaceName } from '../../../schema/route/Route.ts';
import { Refusal } from '../Refusal.ts';
import { type StoredDocument, toStoredDocument } from './storedDocument.ts';

const file = path.join(import.meta.dirname, '../../../schema/openapi.json');

const interfaces: Readonly<Record<string, InterfaceName>> = { a: 'A', b: 'B', c: 'C' };

/** The contract, whole and by interface. */
export interface OpenApiDocuments {
  whole(): StoredDocument;
  /**
   * Returns the document of an interface.
   *
   * @throws Refusal `not_found` for an unknown interface
   */
  of(name: string): StoredDocument;
}

/**
 * Returns the committed contract, with B and C at the paths of this deployment. It is read on first use, because most
 * processes never need it.
 */
export function openApiDocuments(restRoot: string): OpenApiDocuments {
  const kept = new Map<string, StoredDocument>();
  const keep = (name: string, read: () => string): StoredDocument => {
    const known = kept.get(name);
    if (known) return known;
    const cache = 'public, max-age=300';
    const made = toStoredDocument('application/json', read(), cache, { Vary: 'Authorization' });
    kept.set(name, made);
    return made;
  };
  const text = () => readFileSync(file, 'utf8').replaceAll(`"${defaultRestRoot}/`, `"${restRoot}/`);
  return {
    whole: () => keep('whole', text),
    of(name) {
      const owner = Object.hasOwn(interfaces, name) ? interfaces[name] : undefined;
      if (!owner) throw new Refusal('not_found', 'The interface must be a, b or c.');
      return keep(name, () => JSON.stringify(onlyInterface(JSON.parse(text()), owner)));
    },
  };
}
