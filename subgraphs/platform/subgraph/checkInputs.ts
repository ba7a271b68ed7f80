import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { guardDirectives } from '../../../schema/guards/guardDirectives.ts';
import { type InputLimits, readInputLimits } from '../../../schema/guards/readInputLimits.ts';
import type { FieldProblem } from '../../../schema/Problem.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { invalidFields } from '../errors/AppError.ts';
import { maxPageSize } from '../pagination/findPage.ts';

/** Returns the errors in an operation's input besides the limits in its SDL. */
export type InputRule = (input: never, context: RequestContext) => readonly FieldProblem[];

/** Records the errors of a value; `pointer` is its position. */
type Check = (value: unknown, pointer: string, problems: FieldProblem[]) => void;

/** Arguments that set the size of a page. */
const pageArguments: ReadonlySet<string> = new Set(['first', 'last', 'limit']);
/** Maximum number of entries of a list, unless the SDL states another one. */
const usualListLength = 250;

/**
 * Checks inputs before their resolvers run: sizes of pages and of lists, the limits in the SDL (`@guard__length`,
 * `@guard__range`, `@guard__maxItems`), and the rules of the resources. All errors are reported together. The product's
 * router checks sizes too, before it executes anything; other engines do not.
 *
 * @param rules by the name of the root field whose argument `input` they check
 * @throws Error for a rule of a field that does not exist
 */
export function checkInputs(
  schema: GraphQLSchema,
  rules: Readonly<Record<string, InputRule>> = {},
): GraphQLSchema {
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType()]);
  const unused = new Set(Object.keys(rules));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      // Records of other subgraphs that a router asks for.
      if (field.name === '_entities') continue;
      const rule = roots.has(type) ? rules[field.name] : undefined;
      if (rule) unused.delete(field.name);
      checkField(field, rule);
    }
  }
  if (unused.size > 0)
    throw new Error(`Input rules name root fields that do not exist: ${[...unused].join(', ')}`);
  return schema;
}

function checkField(field: GraphQLField<unknown, RequestContext>, rule: InputRule | undefined): void {
  const limits = compileArguments(field);
  if (limits === undefined && rule === undefined) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args: Record<string, unknown>, context, info) => {
    const problems: FieldProblem[] = [];
    limits?.(args, '#', problems);
    if (rule) problems.push(...rule(args.input as never, context));
    if (problems.length > 0) throw invalidFields(problems);
    return resolve(source, args, context, info);
  };
}

/** Returns the check of all arguments of a field; undefined if there are no limits. */
function compileArguments(field: GraphQLField<unknown, RequestContext>): Check | undefined {
  const stated = guardDirectives(field.astNode).find(({ name }) => name === 'limits')?.values.arrays;
  const listLength = Number(stated ?? usualListLength);
  return compileMembers(
    field.args.map(({ name, type }) => ({
      name,
      // Pointers are relative to the input, which is the body in REST.
      step: name === 'input' ? '' : `/${name}`,
      check: pageArguments.has(name) ? checkPageSize : compileLimits(type, {}, listLength),
    })),
  );
}

const checkPageSize: Check = (value, pointer, problems) => {
  if ((value as number) > maxPageSize)
    problems.push({ pointer, code: 'invalid', detail: `A page can have at most ${maxPageSize} entries.` });
};

/**
 * Returns the check of a value's type; undefined if there are no limits.
 *
 * @param listLength maximum number of entries of a list for which the limits state none
 */
function compileLimits(given: GraphQLInputType, limits: InputLimits, listLength: number): Check | undefined {
  const type = getNullableType(given);
  if (isListType(type))
    return compileList(compileLimits(type.ofType, limits, listLength), limits.maxItems ?? listLength);
  if (!isInputObjectType(type)) return compileLeaf(limits);
  return compileMembers(
    Object.values(type.getFields()).map((member) => ({
      name: member.name,
      step: `/${member.name}`,
      check: compileLimits(member.type, readInputLimits(member), listLength),
    })),
  );
}

interface Member {
  readonly name: string;
  readonly step: string;
  readonly check: Check | undefined;
}

function compileMembers(members: readonly Member[]): Check | undefined {
  const checked = members.flatMap(({ check, ...member }) => (check ? [{ ...member, check }] : []));
  if (checked.length === 0) return undefined;
  return (value, pointer, problems) => {
    for (const { name, step, check } of checked) {
      const member = (value as Readonly<Record<string, unknown>>)[name];
      if (member !== null && member !== undefined) check(member, `${pointer}${step}`, problems);
    }
  };
}

/** Returns the check of a list. Entries of a list that is too long are not checked. */
function compileList(check: Check | undefined, most: number): Check {
  return (value, pointer, problems) => {
    const entries = value as readonly unknown[];
    if (entries.length > most) {
      problems.push({ pointer, code: 'too_many', detail: `Must have at most ${most} entries.` });
      return;
    }
    for (const [index, entry] of entries.entries())
      if (entry !== null) check?.(entry, `${pointer}/${index}`, problems);
  };
}

function compileLeaf({ length, range }: InputLimits): Check | undefined {
  if (length !== undefined)
    return (value, pointer, problems) => {
      if (isLongerThan(value as string, length))
        problems.push({ pointer, code: 'too_long', detail: `Must have at most ${length} characters.` });
    };
  if (range === undefined) return undefined;
  const { min, max } = range;
  return (value, pointer, problems) => {
    const number = value as number;
    if (number < min || number > max)
      problems.push({ pointer, code: 'invalid', detail: `Must be a number from ${min} to ${max}.` });
  };
}

/** Returns whether a text is too long. Code points are counted only if the length in UTF-16 units is ambiguous. */
function isLongerThan(text: string, length: number): boolean {
  return text.length > length && (text.length > 2 * length || [...text].length > length);
}
