import type { FieldProblem } from '../../../../schema/Problem.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { analysisLimits } from '../../engine/assertLimits.ts';
import { countCodePoints } from '../../engine/text/countCodePoints.ts';
import type { SeoAnalysisInput, SeoProductInput } from '../../seo.generated.ts';
import { isJsonObject, jsonProblems } from './checkJson.ts';

const currencyPattern = /^[A-Z]{3}$/;
const schemaLimits = { depth: 20, values: 5000, characters: 64 * 1024 };
const socialLimits = { depth: 1, values: 51, characters: 64 * 1024 };
const attributeLimits = { depth: 2, values: 1000, characters: 64 * 1024 };
const mostAttributes = 200;

/**
 * Returns the errors of a page to analyze that the SDL does not check.
 *
 * @throws AppError `payload_too_large` for the body
 */
export function analysisProblems(input: SeoAnalysisInput): FieldProblem[] {
  assertContentSize(input.content);
  return [
    ...schemaProblems(input.schema),
    ...socialProblems(input.social),
    ...(input.product ? productProblems(input.product) : []),
  ];
}

function assertContentSize(content: string | null | undefined): void {
  if (!content || countCodePoints(content) <= analysisLimits.characters) return;
  const limit = analysisLimits.characters.toLocaleString('en');
  throw new AppError('payload_too_large', `The content must have at most ${limit} characters.`, {
    limitCharacters: analysisLimits.characters,
  });
}

function schemaProblems(schema: unknown): FieldProblem[] {
  if (schema === null || schema === undefined) return [];
  const isList = Array.isArray(schema) && schema.every(isJsonObject);
  if (!isList && !isJsonObject(schema) && typeof schema !== 'string') {
    return [
      invalid(
        '#/schema',
        'Structured data must be an object, a list of objects, or one of these as a JSON string.',
      ),
    ];
  }
  return jsonProblems('#/schema', schema, schemaLimits);
}

function socialProblems(social: unknown): FieldProblem[] {
  if (social === null || social === undefined) return [];
  if (!isJsonObject(social) || !Object.values(social).every(isTextOrNull)) {
    return [invalid('#/social', 'The social preview must be an object of strings.')];
  }
  return jsonProblems('#/social', social, socialLimits);
}

function productProblems({ price, attributes }: SeoProductInput): FieldProblem[] {
  const isWrong = price && !currencyPattern.test(price.currency);
  return [
    ...(isWrong
      ? [invalid('#/product/price/currency', 'A currency must be an ISO 4217 code, such as EUR.')]
      : []),
    ...(attributes === null || attributes === undefined ? [] : attributeProblems(attributes)),
  ];
}

function attributeProblems(attributes: unknown): FieldProblem[] {
  const pointer = '#/product/attributes';
  const isFlat = (value: unknown): boolean =>
    isScalar(value) || (Array.isArray(value) && value.every(isScalar));
  if (!isJsonObject(attributes)) return [invalid(pointer, 'Attributes must be an object.')];
  if (Object.keys(attributes).length > mostAttributes)
    return [{ pointer, code: 'too_many', detail: `Must have at most ${mostAttributes} entries.` }];
  const oversized = jsonProblems(pointer, attributes, attributeLimits);
  if (oversized.length > 0 || Object.values(attributes).every(isFlat)) return oversized;
  return [invalid(pointer, 'An attribute must be a string, a number, a boolean, or a list of these.')];
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function invalid(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'invalid', detail };
}
