import {
  type ExecutionResult,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  print,
} from 'graphql';
import { subgraphBuilders } from '../../app/product/openProduct.ts';
import type { EntityCell, EntityRow } from './entities/EntityRow.ts';
import { entityRows } from './entityRows.ts';
import type { World } from './openWorld.ts';
import { everybody, type Who } from './people.ts';
import { type Expected, expect401To404, words } from './rules.ts';
import { findForeignAddress, inParallel } from './runMatrix.ts';

/** What came of one caller, one item and one row: as many cells as the row has fields. */
export interface EntityOutcome {
  readonly row: EntityRow;
  readonly cells: number;
  /** What was wrong with which of them. */
  readonly faults: readonly string[];
}

const schemas: Readonly<Record<EntityRow['subgraph'], GraphQLSchema>> = {
  identity: subgraphBuilders.identity().schema,
  seo: subgraphBuilders.seo().schema,
  translation: subgraphBuilders.translation().schema,
};

/** Name of a subgraph. */
export type SubgraphName = EntityRow['subgraph'];

/** As in `seo Listing`: every type that one of these subgraphs resolves by reference. */
export function entityTypes(subgraphs: readonly SubgraphName[]): string[] {
  return subgraphs.flatMap((subgraph) => {
    const schema = schemas[subgraph];
    const union = schema.getType('_Entity');
    const types = isUnionType(union) ? union.getTypes() : [];
    return types.filter((type) => !isOnlyNamed(type)).map(({ name }) => `${subgraph} ${name}`);
  });
}

/** Whether a subgraph only names records of the type, so that a reference comes back as it was sent. */
function isOnlyNamed({ astNode, extensionASTNodes }: GraphQLObjectType): boolean {
  return [astNode, ...extensionASTNodes].some((node) => node && print(node).includes('resolvable: false'));
}

/**
 * Those who ask for every field by itself as well: one for each way to be refused. A field that lost its guard must not
 * hide behind its neighbour's.
 */
const searchers: ReadonlySet<Who> = new Set([
  'stranger',
  'foreigner',
  'suspended',
  'withoutMfa',
  'buyer',
  'rival',
  'editor',
  'moderator',
  'narrowClient',
  'rivalClient',
]);

/** Asks these subgraphs for references as the router does. */
export async function runEntities(
  world: World,
  subgraphs: readonly SubgraphName[],
): Promise<EntityOutcome[]> {
  const rows = entityRows.filter(({ subgraph }) => subgraphs.includes(subgraph));
  const cells = rows.flatMap((row) =>
    row.items.flatMap((name) =>
      everybody.map((who) => ({ row, cell: { world, who, item: world.items[name] } })),
    ),
  );
  return inParallel(cells, ({ row, cell }) => run(row, cell));
}

async function run(row: EntityRow, cell: EntityCell): Promise<EntityOutcome> {
  const { world, who, item } = cell;
  const rule = typeof row.rule === 'function' ? row.rule(cell) : row.rule;
  const ask = { who, item, style: 'graphql' } as const;
  const atReference = row.throughAnyIdentity
    ? expect401To404({ ...ask, rule: { kind: 'signed in' }, scope: '*' })
    : 'answered';
  const expected =
    atReference === 'answered' ? expect401To404({ ...ask, rule, scope: row.scope }) : atReference;
  const fields = Object.entries(fieldsOf(row));
  const apart = searchers.has(who) ? fields : [];
  const asked = apart.map(([field, rest]) => `${field}: ${entitiesOf(row, `${field}${rest}`)}`);
  const together = fields.map(([field, rest]) => `${field}${rest}`).join(' ');
  const result = await world.app.stack.execute(
    `query ($references: [_Any!]!) { ${asked.join('\n')} all: ${entitiesOf(row, together)} }`,
    { references: [{ __typename: row.type, ...(row.key?.(cell) ?? { id: item.id }) }] },
    { as: world.tokenOf(who) ?? null, subgraph: row.subgraph },
  );
  const faults = [...apart.map(([field]) => field), 'all'].flatMap((alias) => {
    const fault = findFault(row, cell, expected, alias, result);
    return fault === null ? [] : [`${row.subgraph} ${row.type}.${alias} · ${item.name} · ${who}: ${fault}`];
  });
  const text = JSON.stringify(result);
  if (expected !== 'answered' && text.includes(world.secret))
    faults.push(`${row.type} · ${item.name} · ${who}: the refusal shows the record`);
  const foreign = findForeignAddress(cell, text);
  if (foreign) faults.push(`${row.type} · ${item.name} · ${who}: shows ${foreign}`);
  return { row, cells: apart.length + 1, faults };
}

const entitiesOf = ({ type }: EntityRow, selection: string) =>
  `_entities(representations: $references) { ... on ${type} { ${selection} } }`;

/** The fields of a row, each with its arguments and what is asked below it. */
function fieldsOf({ subgraph, type, fields }: EntityRow): Readonly<Record<string, string>> {
  if (fields !== 'the rest') return fields;
  const definition = schemas[subgraph].getType(type);
  if (!isObjectType(definition)) throw new Error(`${subgraph} has no type ${type}.`);
  const named = new Set(
    entityRows
      .filter((row) => row.subgraph === subgraph && row.type === type && row.fields !== 'the rest')
      .flatMap((row) => Object.keys(row.fields)),
  );
  const rest = Object.values(definition.getFields()).filter(({ name }) => !named.has(name));
  return Object.fromEntries(
    rest.map((field) => [field.name, isLeafType(getNamedType(field.type)) ? '' : ' { __typename }']),
  );
}

function findFault(
  row: EntityRow,
  cell: EntityCell,
  expected: Expected,
  alias: string,
  { data, errors = [] }: ExecutionResult<Record<string, any>>,
): string | null {
  const error = errors.find(({ path }) => path?.[0] === alias);
  const problem = error?.extensions.problem as Exclude<Expected, 'answered'> | undefined;
  const got = error ? (problem ?? { status: 0, code: error.message }) : 'answered';
  if (words(got) !== words(expected)) return `expected ${words(expected)}, got ${words(got)}`;
  if (expected !== 'answered' || alias !== 'all') return null;
  try {
    row.check?.(data?.[alias][0], cell);
  } catch (failure) {
    return `answered wrongly: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
  return null;
}
