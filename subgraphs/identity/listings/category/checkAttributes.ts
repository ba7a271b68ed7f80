import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import type { CategoryRecord, CategorySchema } from './model.ts';

/** Attributes of a listing by name: scalars, or lists of texts. */
export type Attributes = Record<string, string | number | boolean | string[]>;

const ajv = new Ajv2020({ allErrors: true, strict: true, multipleOfPrecision: 6, ownProperties: true });
ajv.addVocabulary(['unit', 'readerUnit', 'valueLabels', 'private', 'identifying', 'productType']);

/** Matches non-printing characters, except line ends and tabs. */
const unprintable = /[^\P{Cc}\n\r\t]/u;

/** Compiled by text, so that a changed schema is never judged by its old self. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

function compile(schema: CategorySchema): ValidateFunction {
  const { required: _, ...draft } = schema;
  const text = JSON.stringify(draft);
  let validate = compiled.get(text);
  if (!validate) {
    validate = ajv.compile(draft);
    compiled.set(text, validate);
  }
  return validate;
}

/**
 * Returns the errors in the attributes of a listing of this category. Members that the schema does not name are
 * refused, because the GraphQL types leave the shape of attributes open.
 *
 * @param pointer JSON pointer of the attributes, as in `#/attributes`
 */
export function checkAttributes(
  category: CategoryRecord,
  attributes: unknown,
  pointer: string,
): FieldProblem[] {
  const schema = category.attributeSchema ?? emptySchema;
  const validate = compile(schema);
  if (!validate(attributes)) return (validate.errors ?? []).map((error) => toProblem(error, pointer));
  return Object.entries(attributes as Attributes)
    .filter(([, value]) => typeof value === 'string' && (unprintable.test(value) || !value.isWellFormed()))
    .map(([name]) => problem(`${pointer}/${name}`, 'The value must not contain control characters.'));
}

/** Returns the missing attributes that publication requires. */
export function findMissingAttributes(category: CategoryRecord, attributes: Attributes): string[] {
  return (category.attributeSchema?.required ?? []).filter((name) => !Object.hasOwn(attributes, name));
}

const emptySchema: CategorySchema = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
};

function toProblem(error: ErrorObject, pointer: string): FieldProblem {
  if (error.keyword === 'additionalProperties') {
    const name = String((error.params as { additionalProperty: unknown }).additionalProperty);
    return {
      pointer: `${pointer}/${escapePointer(name)}`,
      code: 'unknown_field',
      detail: 'The category does not define this attribute.',
    };
  }
  const { allowedValues: allowed, type } = error.params as { allowedValues?: unknown[]; type?: string };
  return {
    // Ajv's path is already a JSON pointer; only the fragment needs escaping.
    pointer: `${pointer}${error.instancePath.split('/').map(encodeURIComponent).join('/')}`,
    code: 'validation_failed',
    detail: allowed
      ? `The value must be one of: ${allowed.join(', ')}.`
      : `The value ${numberRules[type ?? ''] ?? error.message ?? 'is invalid'}.`,
  };
}

/** Formats of numbers by their type, because feeds contain numbers as people write them. */
const numberRules: Readonly<Record<string, string>> = {
  integer: 'must be a whole number without separators, as in 84000',
  number: 'must be a number with a decimal point and without other separators, as in 1234.5',
};

/** Escapes a name for a JSON pointer (RFC 6901, 3 and 6). */
function escapePointer(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed());
}
