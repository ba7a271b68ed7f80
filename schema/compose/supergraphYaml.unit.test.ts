import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../..');

test('supergraph.yaml has only members that rover supergraph compose accepts', () => {
  const configuration = parse(readFileSync(path.join(root, 'supergraph.yaml'), 'utf8'));
  // Rover refuses unknown members.
  expect(Object.keys(configuration).sort()).toEqual(['federation_version', 'subgraphs']);
  expect(configuration.federation_version).toMatch(/^(2|=2\.\d+\.\d+(-[\w.]+)?)$/);
  for (const [name, subgraph] of Object.entries<any>(configuration.subgraphs)) {
    expect(name).toMatch(/^[a-zA-Z][\w-]{0,63}$/);
    expect(Object.keys(subgraph).sort()).toEqual(['routing_url', 'schema']);
    expect(new URL(subgraph.routing_url).protocol).toMatch(/^https?:$/);
    expect(Object.keys(subgraph.schema)).toEqual(['file']);
    expect(existsSync(path.join(root, subgraph.schema.file))).toBe(true);
  }
});
