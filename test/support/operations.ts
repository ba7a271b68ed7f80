import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  Kind,
} from 'graphql';
import { readGuard } from '../../schema/guards/readGuard.ts';
import type * as identity from '../../subgraphs/identity/identity.generated.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import type * as seo from '../../subgraphs/seo/seo.generated.ts';
import type * as translation from '../../subgraphs/translation/translation.generated.ts';
import { Refusal } from './Refusal.ts';
import type { CallOptions, TestStack } from './stack/openTestStack.ts';

type Mutations = identity.Mutation & seo.Mutation & translation.Mutation;
type Queries = identity.Query & seo.Query & translation.Query;
type MutationResolvers = identity.MutationResolvers & seo.MutationResolvers & translation.MutationResolvers;
type QueryResolvers = identity.QueryResolvers & seo.QueryResolvers & translation.QueryResolvers;

type ArgumentsOf<Resolver> = Resolver extends (
  parent: never,
  variables: infer Variables,
  ...rest: never[]
) => unknown
  ? Variables
  : never;
/** A type of a subgraph's resolvers as in the public schema, in which enum values are their GraphQL names. */
export type Wire<Type> = Type extends string
  ? string extends Type
    ? Type
    : Uppercase<Type>
  : Type extends Date
    ? Type
    : Type extends object
      ? { [Member in keyof Type]: Wire<Type[Member]> }
      : Type;

type InputOf<Variables> = Variables extends { input: infer Input } ? Input : Variables;
/** Arguments with a default are optional. The schema refuses a call without the others. */
type Loose<Variables> = { [Name in keyof Variables]?: Variables[Name] | undefined };
type Member<Type, Key> = Key extends keyof Type ? NonNullable<Type[Key]> : never;

/**
 * Every root field as a function. A mutation takes its input. A query takes its arguments, or its input if that is its only
 * argument. Both return the value of the field. `select` is the selection on it, by default every unguarded member (see
 * `defaultSelection`). A refused operation returns a `Refusal`, for `toBeRefused`. Reading a member of it fails the test
 * with the whole call. A query can return null, which its type omits. A test that reads a member of null fails.
 */
export type Operations = {
  [Name in keyof Mutations]-?: (
    input: Wire<InputOf<ArgumentsOf<Member<MutationResolvers, Name>>>>,
    select?: string,
  ) => Promise<Wire<Mutations[Name]>>;
} & {
  [Name in keyof Queries]-?: (
    variables?: Loose<Wire<InputOf<ArgumentsOf<Member<QueryResolvers, Name>>>>>,
    select?: string,
  ) => Promise<Wire<NonNullable<Queries[Name]>>>;
};

/** The operations of a stack with the token `options.as`. */
export function operationsOf(
  stack: Pick<TestStack, 'subgraphs' | 'execute'>,
  options: CallOptions,
): Operations {
  return new Proxy({} as Operations, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      const field = findField(stack.subgraphs, name);
      if (!field) throw new Error(`No subgraph of this stack has a root field "${name}".`);
      return (given: object = {}, select?: string) => run(stack, field, { given, select, options });
    },
    has: (_, name) => typeof name === 'string' && findField(stack.subgraphs, name) !== undefined,
  });
}

/** Whether a subgraph of the stack has this root field. */
export function hasOperation(stack: Pick<TestStack, 'subgraphs'>, name: string): boolean {
  return findField(stack.subgraphs, name) !== undefined;
}

interface RootField {
  readonly subgraph: string;
  readonly kind: 'mutation' | 'query';
  readonly field: GraphQLField<unknown, unknown>;
}

interface Call {
  readonly given: object;
  readonly select: string | undefined;
  readonly options: CallOptions;
}

function findField(subgraphs: readonly Subgraph[], name: string): RootField | undefined {
  for (const { name: subgraph, schema } of subgraphs) {
    const mutation = schema.getMutationType()?.getFields()[name];
    if (mutation) return { subgraph, kind: 'mutation', field: mutation };
    const query = schema.getQueryType()?.getFields()[name];
    if (query) return { subgraph, kind: 'query', field: query };
  }
  return undefined;
}

async function run(stack: Pick<TestStack, 'execute'>, root: RootField, call: Call): Promise<never> {
  const { subgraph, kind, field } = root;
  const isInput = field.args.length === 1 && field.args[0]?.name === 'input';
  const variables = isInput ? { input: call.given } : (call.given as Record<string, unknown>);
  const source = documentOf(root, Object.keys(variables), call.select);
  const result = await stack.execute(source, variables, { ...call.options, subgraph });
  const value = result.data?.[field.name];
  if (!result.errors) return value as never;
  if (value === null || value === undefined)
    return Refusal.of({ operation: field.name, variables, result }) as never;
  throw new Error(
    `${kind} ${field.name} was answered in part:\n${JSON.stringify({ variables, ...result }, null, 2)}`,
  );
}

function documentOf(
  { kind, field }: RootField,
  given: readonly string[],
  select: string | undefined,
): string {
  const stated = field.args.filter(({ name }) => given.includes(name));
  const unknown = given.filter((name) => !field.args.some((argument) => argument.name === name));
  if (unknown.length > 0) throw new Error(`${field.name} takes no argument "${unknown.join('", "')}".`);
  const declared = stated.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = stated.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = select === undefined ? defaultSelection(field) : `{ ${select} }`;
  return `${kind} ${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`;
}

const selections = new Map<GraphQLField<unknown, unknown>, string>();

/**
 * The default selection of an operation: the members of the answer and of the first entity in it, down to four levels, and
 * the keys of further entities. Members with a separate guard or a required argument, and inaccessible members are omitted.
 */
function defaultSelection(field: GraphQLField<unknown, unknown>): string {
  const known = selections.get(field);
  if (known !== undefined) return known;
  const selection = selectionOf(getNamedType(field.type), { levels: 5, isInEntity: false });
  selections.set(field, selection);
  return selection;
}

interface Depth {
  readonly levels: number;
  /** Whether the type is within an entity, so that only the key of a further entity is selected. */
  readonly isInEntity: boolean;
}

function selectionOf(type: GraphQLNamedType, { levels, isInEntity }: Depth): string {
  if (isLeafType(type)) return '';
  if (isAbstractType(type)) return '{ __typename }';
  if (!isObjectType(type)) throw new TypeError(`${type.name} cannot be selected.`);
  const key = keyOf(type);
  if (key !== undefined && isInEntity) return `{ ${key} }`;
  const within = { levels: levels - 1, isInEntity: isInEntity || key !== undefined };
  const members = Object.values(type.getFields()).flatMap((member) => {
    const memberType = getNamedType(member.type);
    // The edges of a list are its nodes.
    if (!isOpen(member) || member.name === 'edges' || (within.levels === 0 && !isLeafType(memberType)))
      return [];
    const inner = selectionOf(memberType, within);
    return inner === '' && !isLeafType(memberType) ? [] : [`${member.name} ${inner}`];
  });
  return members.length === 0 ? '' : `{ ${members.join(' ')} }`;
}

/** The members of an entity's first key. Undefined if the type is not an entity. */
function keyOf({ astNode, extensionASTNodes }: GraphQLObjectType): string | undefined {
  const directives = [astNode, ...extensionASTNodes].flatMap((node) => node?.directives ?? []);
  const key = directives.find(({ name }) => name.value === 'key');
  const fields = key?.arguments?.find(({ name }) => name.value === 'fields')?.value;
  return fields?.kind === Kind.STRING ? fields.value : undefined;
}

function isOpen(field: GraphQLField<unknown, unknown>): boolean {
  const isInternal = field.astNode?.directives?.some(({ name }) =>
    ['inaccessible', 'external'].includes(name.value),
  );
  if (isInternal || field.args.some(isRequiredArgument)) return false;
  return field.name === 'id' || readGuard(field) === null;
}
