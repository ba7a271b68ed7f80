import { readFileSync } from 'node:fs';
import { buildSchema, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { readRateClass } from '../../schema/guards/readRateClass.ts';

const read = (file: string) => readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8');
const supergraph = buildSchema(read('supergraph.graphql'), { assumeValidSDL: true });

test('every query root field is nullable, so that its failure does not remove the other fields', () => {
  const fields = Object.values(supergraph.getQueryType()?.getFields() ?? {});
  expect(fields.length).toBeGreaterThan(10);
  expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
});

test('every mutation takes one input and returns one payload, both named after it', () => {
  const fields = Object.values(supergraph.getMutationType()?.getFields() ?? {});
  const odd = fields.filter(({ name, args, type }) => {
    const stem = name.charAt(0).toUpperCase() + name.slice(1);
    return (
      args.length !== 1 || String(args[0]?.type) !== `${stem}Input!` || String(type) !== `${stem}Payload!`
    );
  });
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('every list with pages has nodes, edges and the whole position of the page', () => {
  const types = Object.values(supergraph.getTypeMap()).filter((type) => isObjectType(type));
  const lists = types.filter((type) => 'pageInfo' in type.getFields());
  expect(lists.length).toBeGreaterThan(25);
  const odd = lists.filter((type) => {
    const { nodes, edges, pageInfo } = type.getFields();
    const edge = edges && getNamedType(edges.type);
    const node = isObjectType(edge) ? edge.getFields().node : undefined;
    return `[${String(node?.type)}]!` !== String(nodes?.type) || String(pageInfo?.type) !== 'PageInfo!';
  });
  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('every query and mutation has a rate class', () => {
  const roots = [supergraph.getQueryType(), supergraph.getMutationType()];
  const free = roots.flatMap((type) =>
    Object.values(type?.getFields() ?? {}).filter((field) => readRateClass(field) === null),
  );
  expect(free.map(({ name }) => name)).toEqual([]);
});
