import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import { loadBuilders } from '../../app/product/loadBuilders.ts';
import { type InputLimits, readInputLimits } from '../../schema/guards/readInputLimits.ts';
import type { Problem } from '../../schema/Problem.ts';
import { perFile, product } from '../support/product.ts';
import { Refusal } from '../support/Refusal.ts';
import type { SeededUser } from '../support/seed.ts';

// The cases are derived from the SDL, so a new limit needs no new test.

/** A place of an input, as in `['images', '0', 'alt']`. */
type Path = readonly string[];

interface LimitedMember {
  readonly path: Path;
  readonly type: GraphQLInputType;
  readonly limits: InputLimits;
}

/** A limit, with inputs of an operation at it and beyond it. */
interface LimitCase {
  readonly pointer: string;
  /** Code of the refusal. */
  readonly code: string;
  readonly accepted: readonly object[];
  readonly refused: readonly object[];
}

function limitedMembers(given: GraphQLInputType, path: Path = []): LimitedMember[] {
  const type = getNullableType(given);
  if (isListType(type)) return limitedMembers(type.ofType, [...path, '0']);
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((member) => {
    const at = [...path, member.name];
    return [
      { path: at, type: member.type, limits: readInputLimits(member) },
      ...limitedMembers(member.type, at),
    ];
  });
}

/** For each limit of a member: values at the limit, values beyond it, and the code of their refusal. */
function* valuesOf({ path, type, limits: { length, range, maxItems } }: LimitedMember) {
  const isList = isListType(getNullableType(type));
  if (length !== undefined) {
    const [at, beyond] = [length, length + 1].map((count) => '🚗'.repeat(count));
    yield { path: isList ? [...path, '0'] : path, code: 'too_long', at: [at], beyond: [beyond] };
  }
  if (range) {
    const { min, max } = range;
    yield { path, code: 'invalid', at: [min, max], beyond: [min - 1, max + 1] };
  }
  if (maxItems !== undefined) {
    const [at, beyond] = [maxItems, maxItems + 1].map((count) => Array(count).fill(sampleOf(itemOf(type))));
    yield { path, code: 'too_many', at: [at], beyond: [beyond] };
  }
}

function itemOf(given: GraphQLInputType): GraphQLInputType {
  const type = getNullableType(given);
  if (!isListType(type)) throw new Error(`@guard__maxItems limits ${String(given)}, which is not a list.`);
  return type.ofType;
}

/** A value of a type, with its required members only, and a text to analyse. */
function sampleOf(given: GraphQLInputType): unknown {
  const type = getNullableType(given);
  if (isListType(type)) return [sampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return type.name === 'Boolean' || (/^(Int|Float)$/.test(type.name) ? 1 : 'x');
  const members = Object.values(type.getFields());
  const needed = members.filter((member) => isRequiredInputField(member) || member.name === 'content');
  return Object.fromEntries(needed.map((member) => [member.name, sampleOf(member.type)]));
}

/** An input of a type with a value at a place. */
function inputWith(given: GraphQLInputType, [step, ...rest]: Path, value: unknown): unknown {
  const type = getNullableType(given);
  if (step === undefined) return value;
  if (isListType(type)) return [inputWith(type.ofType, rest, value)];
  const member = isInputObjectType(type) ? type.getFields()[step] : undefined;
  if (!member) throw new Error(`${String(type)} has no "${step}".`);
  return { ...(sampleOf(type) as object), [step]: inputWith(member.type, rest, value) };
}

function casesOf(input: GraphQLInputType): LimitCase[] {
  const inputsOf = (path: Path, values: readonly unknown[]) =>
    values.map((value) => inputWith(input, path, value) as object);
  return limitedMembers(input)
    .flatMap((member) => [...valuesOf(member)])
    .map(({ path, code, at, beyond }) => ({
      pointer: `#/${path.join('/')}`,
      code,
      accepted: inputsOf(path, at),
      refused: inputsOf(path, beyond),
    }));
}

const operations = Object.values(await loadBuilders())
  .map((build) => build().schema)
  .flatMap((schema) => [schema.getQueryType(), schema.getMutationType()])
  .flatMap((root) => Object.values(root?.getFields() ?? {}))
  .flatMap(({ name, args }) => {
    const input = args.find((argument) => argument.name === 'input');
    const cases = input ? casesOf(input.type) : [];
    return cases.length > 0 ? [{ name, cases }] : [];
  });

const { market } = product();
const admin = perFile(() => market.staff('installation_admin'));

async function problemOf(operation: string, input: object): Promise<Partial<Problem>> {
  const call = admin[operation as keyof SeededUser] as (input: object) => Promise<unknown>;
  const answer = await call(input);
  return answer instanceof Refusal ? (answer.problem ?? {}) : {};
}

test('the schema limits more than 100 input members', () => {
  expect(operations.flatMap(({ cases }) => cases).length).toBeGreaterThan(100);
});

test.each(operations)(
  '$name accepts every input member at its limit and refuses it beyond the limit',
  async ({ name, cases }) => {
    const wrongly = async ({ pointer, code, accepted, refused }: LimitCase) => {
      const codesOf = async (input: object) => {
        const { errors = [], ...problem } = await problemOf(name, input);
        const codes = errors.filter((error) => error.pointer === pointer).map((error) => error.code);
        const isRefused = codes.length > 0 || problem.code === 'payload_too_large';
        return { pointer, refusal: isRefused ? [problem.status, problem.code, ...codes] : [] };
      };
      expect(await Promise.all(accepted.map(codesOf))).toEqual(
        accepted.map(() => ({ pointer, refusal: [] })),
      );
      const refusal = [422, 'validation_failed', code];
      expect(await Promise.all(refused.map(codesOf))).toEqual(refused.map(() => ({ pointer, refusal })));
    };
    await Promise.all(cases.map(wrongly));
  },
);
