import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
  print,
} from 'graphql';
import { loadBuilders } from '../../../app/product/loadBuilders.ts';
import { type Expected, expect401To404, words } from '../matrix/rules.ts';
import { findForeignAddress, inParallel } from '../matrix/runMatrix.ts';
import type { World } from '../world/openWorld.ts';
import { everybody, type Who } from '../world/people.ts';
import type { EntityCell, EntityRow } from './EntityRow.ts';
import { entityRows } from './entityRows.ts';

/** Outcome of one row for one caller and one item. Each field of the row is a cell. */
export interface EntityOutcome {
  readonly row: EntityRow;
  readonly cells: number;
  /** Faults, each with its cell. */
  readonly faults: readonly string[];
}

const schemas = Object.fromEntries(
  Object.entries(await loadBuilders()).map(([name, build]) => [name, build().schema]),
) as Readonly<Record<EntityRow['subgraph'], GraphQLSchema>>;

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

/** Whether a subgraph stores no records of the type, so that it returns references unchanged. */
function isOnlyNamed({ astNode, extensionASTNodes }: GraphQLObjectType): boolean {
  return [astNode, ...extensionASTNodes].some((node) => node && print(node).includes('resolvable: false'));
}

/**
 * Callers who also select every field by itself: one for each kind of refusal. A field that lost its guard must not
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

/** Requests references from these subgraphs, as the router does. */
export async function runEntities(
  world: World,
  subgraphs: readonly SubgraphName[],
): Promise<EntityOutcome[]> {
  const questions = entityRows
    .filter(({ subgraph }) => subgraphs.includes(subgraph))
    .flatMap((row) =>
      row.items.flatMap((name) =>
        everybody.map((who) => toQuestion(row, { world, who, item: world.items[name] })),
      ),
    );
  // Rows of one record share a request, because most of the time is spent on reading the caller and the record.
  const together = Map.groupBy(questions, ({ row, cell, reference }) =>
    JSON.stringify([row.subgraph, reference, cell.item.name, cell.who]),
  );
  return (await inParallel([...together.values()], ask)).flat();
}

/** One row for one caller and one item. */
interface Question {
  readonly row: EntityRow;
  readonly cell: EntityCell;
  readonly reference: object;
  readonly expected: Expected;
  /** Selections by field, each with a separate alias. `all` is the whole row. */
  readonly selections: ReadonlyMap<string, string>;
}

function toQuestion(row: EntityRow, cell: EntityCell): Question {
  const { who, item } = cell;
  const rule = typeof row.rule === 'function' ? row.rule(cell) : row.rule;
  const asked = { who, item, style: 'graphql' } as const;
  const atReference = row.throughAnyIdentity
    ? expect401To404({ ...asked, rule: { kind: 'signed in' }, scope: '*' })
    : 'answered';
  const fields = Object.entries(fieldsOf(row));
  const apart = searchers.has(who) ? fields : [];
  return {
    row,
    cell,
    reference: { __typename: row.type, ...(row.key?.(cell) ?? { id: item.id }) },
    expected: atReference === 'answered' ? expect401To404({ ...asked, rule, scope: row.scope }) : atReference,
    selections: new Map([
      ...apart.map(([field, rest]) => [field, `${field}${rest}`] as const),
      ['all', fields.map(([field, rest]) => `${field}${rest}`).join(' ')],
    ]),
  };
}

/** Sends the requests of one caller for one record. */
async function ask(questions: readonly Question[]): Promise<EntityOutcome[]> {
  const [{ row, cell, reference }] = questions as [Question];
  const aliases = questions.flatMap(({ selections }, index) =>
    [...selections].map(([name, selection]) => `_${index}_${name}: ${entitiesOf(row, selection)}`),
  );
  const result = await cell.world.app.stack.execute(
    `query ($references: [_Any!]!) { ${aliases.join('\n')} }`,
    { references: [reference] },
    { as: cell.world.tokenOf(cell.who) ?? null, subgraph: row.subgraph },
  );
  return questions.map((question, index) => judge(question, partOf(result, `_${index}_`)));
}

/** The part of an answer whose aliases begin with a prefix, without the prefix. */
function partOf({ data, errors = [] }: ExecutionResult<Record<string, any>>, prefix: string): Part {
  const strip = (alias: unknown) =>
    String(alias).startsWith(prefix) ? [String(alias).slice(prefix.length)] : [];
  return {
    data: Object.fromEntries(
      Object.entries(data ?? {}).flatMap(([alias, value]) => strip(alias).map((name) => [name, value])),
    ),
    errors: errors.flatMap(({ path, message, extensions }) =>
      strip(path?.[0]).map((name) => ({ name, message, extensions })),
    ),
  };
}

type Named = Pick<GraphQLError, 'message' | 'extensions'> & { readonly name: string };

/** Outcomes of one request by the names of its selections. */
interface Part {
  readonly data: Readonly<Record<string, any>>;
  readonly errors: readonly Named[];
}

function judge({ row, cell, expected, selections }: Question, part: Part): EntityOutcome {
  const { who, item, world } = cell;
  const faults = [...selections.keys()].flatMap((name) => {
    const fault = findFault(row, cell, expected, name, part);
    return fault === null ? [] : [`${row.subgraph} ${row.type}.${name} · ${item.name} · ${who}: ${fault}`];
  });
  const text = JSON.stringify(part);
  if (expected !== 'answered' && text.includes(world.secret))
    faults.push(`${row.type} · ${item.name} · ${who}: the refusal shows the record`);
  const foreign = findForeignAddress(cell, text);
  if (foreign) faults.push(`${row.type} · ${item.name} · ${who}: shows ${foreign}`);
  return { row, cells: selections.size, faults };
}

const entitiesOf = ({ type }: EntityRow, selection: string) =>
  `_entities(representations: $references) { ... on ${type} { ${selection} } }`;

/** The fields of a row, each with its arguments and its selection. */
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
  name: string,
  { data, errors }: Part,
): string | null {
  const error = errors.find((one) => one.name === name);
  const problem = error?.extensions.problem as Exclude<Expected, 'answered'> | undefined;
  const got = error ? (problem ?? { status: 0, code: error.message }) : 'answered';
  if (words(got) !== words(expected)) return `expected ${words(expected)}, got ${words(got)}`;
  if (expected !== 'answered' || name !== 'all') return null;
  try {
    row.check?.(data[name][0], cell);
  } catch (failure) {
    return `answered wrongly: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
  return null;
}
