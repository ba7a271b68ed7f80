import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { onlyInterface } from '../../../schema/openapi/onlyInterface.ts';
import { defaultRestRoot } from '../../../schema/route/pathTemplate.ts';
import type { InterfaceName } from '../../../schema/route/Route.ts';
import { Refusal } from '../Refusal.ts';
import { type StoredDocument, toStoredDocument } from './storedDocument.ts';

const file = path.join(import.meta.dirname, '../../../schema/openapi.json');

type Contract = Parameters<typeof onlyInterface>[0];

const interfaces: Readonly<Record<string, InterfaceName>> = { a: 'A', b: 'B', c: 'C' };

/** Documents in memory, of about a megabyte each. */
const keptDocuments = 8;

/** The contract, whole and by interface, with the URL of an installation as its server. */
export interface OpenApiDocuments {
  whole(baseUrl: string): StoredDocument;
  /**
   * Returns the document of an interface.
   *
   * @throws Refusal `not_found` for an unknown interface
   */
  of(name: string, baseUrl: string): StoredDocument;
}

/**
 * Returns the committed contract, with B and C at the paths of this deployment. It is read on first use, because most
 * processes never need it.
 */
export function openApiDocuments(restRoot: string): OpenApiDocuments {
  const kept = new LRUCache<string, StoredDocument>({ max: keptDocuments });
  const keep = (name: string, baseUrl: string, toPart: (contract: Contract) => object): StoredDocument => {
    const known = kept.get(`${name} ${baseUrl}`);
    if (known) return known;
    const contract = JSON.parse(text()) as Contract & { servers: { url: string }[] };
    for (const server of contract.servers) server.url = baseUrl;
    const body = JSON.stringify(toPart(contract));
    const made = toStoredDocument('application/json', body, 'public, max-age=300', { Vary: 'Authorization' });
    kept.set(`${name} ${baseUrl}`, made);
    return made;
  };
  const text = () => readFileSync(file, 'utf8').replaceAll(`"${defaultRestRoot}/`, `"${restRoot}/`);
  return {
    whole: (baseUrl) => keep('whole', baseUrl, (contract) => contract),
    of(name, baseUrl) {
      const owner = Object.hasOwn(interfaces, name) ? interfaces[name] : undefined;
      if (!owner) throw new Refusal('not_found', 'The interface must be a, b or c.');
      return keep(name, baseUrl, (contract) => onlyInterface(contract, owner));
    },
  };
}
