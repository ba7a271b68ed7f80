import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLSchema,
  isLeafType,
  type OperationTypeNode,
} from 'graphql';
import type { HttpAnswer } from '../../support/stack/openHttpClient.ts';
import { restRoot } from '../../support/stack/serveStack.ts';
import { askStream } from '../askStream.ts';
import type { ItemName } from '../world/Item.ts';
import type { World } from '../world/openWorld.ts';
import { everybody, type Who } from '../world/people.ts';
import { changedCollections, digestCollections } from './digestCollections.ts';
import {
  type Call,
  type Case,
  type Cell,
  casesOf,
  keyHeader,
  type Operation,
  routesOf,
} from './Operation.ts';
import { type Planned, pickTwoCallers } from './pickTwoCallers.ts';
import { type Expected, expect401To404, words } from './rules.ts';
import { isSemanticNonNull, objectType } from './supergraph.ts';

/** Outcome of a cell. */
export interface Outcome {
  readonly field: string;
  readonly route: string | null;
  readonly who: Who;
  readonly item: ItemName | null;
  /** Name of the cell without its style, so that both styles can be compared. */
  readonly name: string;
  readonly expected: Expected;
  readonly got: Expected;
  /** Description of the fault. Null if the outcome is as expected. */
  readonly fault: string | null;
  /** Body of a refusal without the members that differ in every answer. */
  readonly refusal: string | null;
}

/** Public schema, for the documents of the cells. */
export const apiSchema: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'),
  { assumeValidSDL: true },
);

/** Callers of each case: all of them, or two for each expected outcome. */
export type Breadth = 'all callers' | 'two callers';

/**
 * Runs the cells of these operations: first those that must be refused without changing the database, then the others.
 */
export async function runMatrix(
  world: World,
  operations: readonly Operation[],
  breadth: Breadth = 'all callers',
): Promise<{ outcomes: Outcome[]; touched: string[] }> {
  const cells = operations.flatMap((operation) => plan(world, operation));
  const planned = breadth === 'all callers' ? cells : pickTwoCallers(cells);
  const isRefused = ({ expected }: Planned) => expected !== 'answered';
  const before = await digestCollections();
  const refused = await inParallel(planned.filter(isRefused), run);
  const touched = changedCollections(before, await digestCollections());
  const answered = planned.filter((cell) => !isRefused(cell));
  const reads = await inParallel(
    answered.filter(({ operation }) => !operation.field.startsWith('Mutation.')),
    run,
  );
  const writes: Outcome[] = [];
  // Sequential, because one of two concurrent writes to a record can be refused as concurrent.
  for (const cell of answered) if (cell.operation.field.startsWith('Mutation.')) writes.push(await run(cell));
  return { outcomes: [...refused, ...reads, ...writes], touched };
}

function plan(world: World, operation: Operation): Planned[] {
  const routes = [null, ...Object.keys(routesOf(operation))];
  return casesOf(operation).flatMap((entry) =>
    routes.flatMap((route) => everybody.map((who) => planCell(world, operation, entry, route, who))),
  );
}

function planCell(world: World, operation: Operation, entry: Case, route: string | null, who: Who): Planned {
  const style = route === null ? 'graphql' : 'rest';
  const item = entry.item ? world.items[entry.item] : null;
  const cell = { world, who, style, item, isAnswered: false } as const;
  const rule = entry.rule ?? operation.rule;
  const { stepUp, withoutMfa } = operation;
  const scope = entry.scope ?? operation.scope;
  const guarded = expect401To404({ rule, who, item, style, stepUp, withoutMfa, scope });
  const expected = guarded === 'answered' ? (entry.meaning?.(cell) ?? 'answered') : guarded;
  return { operation, entry, route, expected, cell: { ...cell, isAnswered: expected === 'answered' } };
}

async function run(planned: Planned): Promise<Outcome> {
  const { operation, entry, cell, route, expected } = planned;
  const call = await entry.call(cell);
  const answer = await (route === null ? askGraphql(planned, call) : askRest(route, cell, call));
  const seen = route === null ? readGraphql(operation, answer) : readRest(answer);
  // A twin of the caller is another user, who can see their own data.
  const fault = findFault(planned, answer, seen) ?? (call.token ? null : findLeak(planned, answer, seen));
  return {
    field: operation.field,
    route,
    who: cell.who,
    item: entry.item ?? null,
    name: [operation.field, entry.name, entry.item, cell.who].filter(Boolean).join(' · '),
    expected,
    got: seen.got,
    fault,
    refusal: seen.got === 'answered' ? null : withoutAccidents(answer.text),
  };
}

interface Seen {
  readonly got: Expected;
  readonly data: any;
}

function askRest(
  route: string,
  { world, who }: Cell,
  { path = {}, query, body, token = world.tokenOf(who), variables }: Call,
): Promise<HttpAnswer> {
  const [method = '', template = ''] = route.split(' ');
  const target = template
    .replace('{rest_root}', restRoot)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const headers = keyHeader({ variables });
  return world.app.send({ method, path: `${target}${search}`, token, body, headers });
}

function askGraphql({ operation, cell }: Planned, { variables, token }: Call): Promise<HttpAnswer> {
  const { world, who } = cell;
  const query = documentOf(operation, variables);
  if (operation.field.startsWith('Subscription.'))
    return askStream(world.app.port, { token: token ?? world.tokenOf(who), body: { query, variables } });
  return world.app.send({
    method: 'POST',
    path: '/graphql',
    token: token ?? world.tokenOf(who),
    body: { query, variables },
  });
}

/** The smallest operation that selects the field with these variables. */
export function documentOf(
  { field, selection }: Pick<Operation, 'field' | 'selection'>,
  variables: object,
): string {
  const [type = '', name = ''] = field.split('.');
  const definition = definitionOf(field);
  const used = definition.args.filter((argument) => argument.name in variables);
  const declared = used.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
  const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const list = (text: string) => (text === '' ? '' : `(${text})`);
  const body = isLeafType(definition.type) ? '' : ` { ${selection} }`;
  return `${type.toLowerCase()} ${list(declared)} { ${name}${list(passed)}${body} }`;
}

/** A root field as the schema defines it. */
export function definitionOf(field: string): GraphQLField<unknown, unknown> {
  const [type, name = ''] = field.split('.');
  const root = apiSchema.getRootType((type ?? '').toLowerCase() as OperationTypeNode);
  const definition = root?.getFields()[name];
  if (!definition) throw new Error(`The table names ${field}, which the schema does not have.`);
  return definition;
}

function readRest({ status, json }: HttpAnswer): Seen {
  return status < 400
    ? { got: 'answered', data: json }
    : { got: { status, code: String(json?.code) }, data: null };
}

function readGraphql({ field }: Operation, { status, json }: HttpAnswer): Seen {
  const problem = json?.errors?.[0]?.extensions?.problem;
  if (problem) return { got: { status: problem.status, code: problem.code }, data: null };
  if (json?.errors || !json?.data) return { got: { status, code: 'no problem' }, data: null };
  return { got: 'answered', data: json.data[field.split('.')[1] ?? ''] };
}

function findFault(planned: Planned, answer: HttpAnswer, { got, data }: Seen): string | null {
  const { expected, cell, operation, entry, route } = planned;
  if (!isSame(got, expected))
    return `expected ${words(expected)}, got ${words(got)}: ${answer.text.slice(0, 400)}`;
  if (expected !== 'answered') return findFaultOfRefusal(planned, answer, expected.status);
  if (route !== null && answer.status !== routesOf(operation)[route]) return `answered with ${answer.status}`;
  if (route === null && data === null && isNeverNull(operation)) return 'null without an error';
  try {
    (entry.check ?? operation.check)?.(data, cell);
  } catch (error) {
    return `answered wrongly: ${error instanceof Error ? error.message : String(error)}`;
  }
  return null;
}

/** Whether the schema states that the root field of a query is null only with an error. */
function isNeverNull({ field }: Operation): boolean {
  const [type, name = ''] = field.split('.');
  const definition = type === 'Query' && objectType('Query').getFields()[name];
  return definition ? isSemanticNonNull(definition) : false;
}

/** The required scope in a challenge (RFC 6750, 3.1). */
const lacksScope = /^Bearer realm="ins_demo", error="insufficient_scope", scope="[a-z]+:[a-z]+"$/;
/** An address or a number of a user of the world other than the caller, where only the staff may see it. */
function findLeak({ operation, cell }: Planned, { text }: HttpAnswer, { got }: Seen): string | null {
  if (operation.showsPeople && got === 'answered') return null;
  const foreign = findForeignAddress(cell, text);
  return foreign ? `shows ${foreign}` : null;
}

/** An address or a number of a user of the world other than the caller. */
export function findForeignAddress(
  { world, who }: Pick<Cell, 'world' | 'who'>,
  text: string,
): string | undefined {
  const own = world.addressesOf(who);
  const shown = text.match(/user-[0-9a-f]{10}@example\.test|\+4955\d{8}/g) ?? [];
  return shown.find((address) => !own.includes(address));
}

/** The requirements of a challenge beyond an accepted identity (RFC 9470, 3). */
const demands: Readonly<Record<string, RegExp>> = {
  reauthentication_required:
    /^Bearer realm="ins_demo", error="insufficient_user_authentication", max_age=600$/,
  mfa_required: /^Bearer realm="ins_demo", error="insufficient_user_authentication", acr_values="mfa"$/,
};

/** Checks of every refusal: its challenge, its HTTP status, and that it contains no data. */
function findFaultOfRefusal(planned: Planned, answer: HttpAnswer, status: number): string | null {
  const { route, cell } = planned;
  const { text, headers } = answer;
  const code = planned.expected === 'answered' ? '' : planned.expected.code;
  if (text.includes(cell.world.secret)) return `the refusal shows the record: ${text}`;
  // With an accepted identity, GraphQL answers with 200 and an error for each refused field.
  const demanded = demands[code];
  const isWhole = route !== null || (status === 401 && !demanded);
  const http = isWhole ? status : 200;
  if (answer.status !== http) return `HTTP ${answer.status} instead of ${http}`;
  const challenge = headers['www-authenticate'];
  if (http === 403 && code === 'insufficient_scope')
    return lacksScope.test(String(challenge)) ? null : `challenged with ${String(challenge)}`;
  if (http !== 401) return challenge === undefined ? null : `a challenge with ${status}`;
  const wanted =
    cell.who === 'stranger'
      ? /^Bearer realm="ins_demo"$/
      : (demanded ?? /^Bearer realm="ins_demo", error="invalid_token"/);
  return wanted.test(String(challenge)) ? null : `challenged with ${String(challenge)}`;
}

function isSame(a: Expected, b: Expected): boolean {
  if (a === 'answered' || b === 'answered') return a === b;
  return a.status === b.status && a.code === b.code;
}

/** A refusal without the id of its request, which always differs. */
function withoutAccidents(text: string): string {
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
}

const width = 8;

/** Runs the work on every entry, a few concurrently, and returns the results in order. */
export async function inParallel<T, R>(entries: readonly T[], work: (entry: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < entries.length; index = next++)
      results[index] = await work(entries[index] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
