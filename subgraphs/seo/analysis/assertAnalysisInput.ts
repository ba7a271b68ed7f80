import type { FieldProblem } from '../../../schema/Problem.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { analysisLimits } from '../engine/assertLimits.ts';
import type { SeoAnalysisInput, SeoProductInput } from '../seo.generated.ts';
import { isJsonObject, jsonProblems } from './checkJson.ts';
import { countProblems, phraseProblems, textProblems } from './checkTexts.ts';

const mostImages = 250;
const mostChecks = 100;

const textLimits = {
  title: 1000,
  seoTitle: 1000,
  metaDescription: 4000,
  slug: 500,
  permalink: 2048,
  canonicalUrl: 2048,
} as const;
const imageLimits = { src: 2048, alt: 1000 } as const;
const productTexts = ['sku', 'gtin', 'vin', 'availability', 'brand'] as const;
const longestProductText = 255;
const currencyPattern = /^[A-Z]{3}$/;
const schemaLimits = { depth: 20, values: 5000, characters: 64 * 1024 };
const socialLimits = { depth: 1, values: 51, characters: 64 * 1024 };
const attributeLimits = { depth: 2, values: 1000, characters: 64 * 1024 };
const mostAttributes = 200;

/**
 * Refuses what is wrong with an input by itself, before anything is loaded or computed.
 *
 * @throws AppError `payload_too_large` for the body, `validation_failed` with every other invalid member
 */
export function assertAnalysisInput(input: SeoAnalysisInput): void {
  assertContentSize(input.content);
  const problems = [
    ...membersTooLong('#', input, textLimits),
    ...phraseProblems(input),
    ...relatedProblems(input),
    ...imageProblems(input),
    ...countProblems('#/checks', input.checks, mostChecks),
    ...(input.checks ?? []).flatMap((id, index) => textProblems(`#/checks/${index}`, id, 100)),
    ...schemaProblems(input.schema),
    ...socialProblems(input.social),
    ...(input.product ? productProblems(input.product) : []),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

function assertContentSize(content: string | null | undefined): void {
  if (!content || Buffer.byteLength(content) <= analysisLimits.contentBytes) return;
  throw new AppError('payload_too_large', 'The content is larger than 512 KB.', {
    limitBytes: analysisLimits.contentBytes,
  });
}

function membersTooLong<Member extends string>(
  parent: string,
  source: { readonly [M in NoInfer<Member>]?: string | null | undefined },
  limits: Readonly<Record<Member, number>>,
): FieldProblem[] {
  return Object.entries<number>(limits).flatMap(([member, limit]) =>
    textProblems(`${parent}/${member}`, source[member as Member], limit),
  );
}

function relatedProblems({ relatedKeyphrases }: SeoAnalysisInput): FieldProblem[] {
  const tooMany = countProblems('#/relatedKeyphrases', relatedKeyphrases, analysisLimits.relatedKeyphrases);
  if (tooMany.length > 0) return tooMany;
  return (relatedKeyphrases ?? []).flatMap((related, index) =>
    phraseProblems(related, `#/relatedKeyphrases/${index}`),
  );
}

function imageProblems({ images }: SeoAnalysisInput): FieldProblem[] {
  const tooMany = countProblems('#/images', images, mostImages);
  if (tooMany.length > 0) return tooMany;
  return (images ?? []).flatMap((image, index) => membersTooLong(`#/images/${index}`, image, imageLimits));
}

function schemaProblems(schema: unknown): FieldProblem[] {
  if (schema === null || schema === undefined) return [];
  const isList = Array.isArray(schema) && schema.every(isJsonObject);
  if (!isList && !isJsonObject(schema) && typeof schema !== 'string') {
    return [invalid('#/schema', 'Structured data is an object, a list of objects, or their JSON text.')];
  }
  return jsonProblems('#/schema', schema, schemaLimits);
}

function socialProblems(social: unknown): FieldProblem[] {
  if (social === null || social === undefined) return [];
  if (!isJsonObject(social) || !Object.values(social).every(isTextOrNull)) {
    return [invalid('#/social', 'The social preview is an object of texts.')];
  }
  return jsonProblems('#/social', social, socialLimits);
}

function productProblems(product: SeoProductInput): FieldProblem[] {
  const { price, attributes } = product;
  const texts = productTexts.flatMap((member) =>
    textProblems(`#/product/${member}`, product[member], longestProductText),
  );
  if (price && !currencyPattern.test(price.currency)) {
    texts.push(invalid('#/product/price/currency', 'A currency is an ISO 4217 code, as in EUR.'));
  }
  return attributes === null || attributes === undefined
    ? texts
    : [...texts, ...attributeProblems(attributes)];
}

function attributeProblems(attributes: unknown): FieldProblem[] {
  const pointer = '#/product/attributes';
  const isFlat = (value: unknown): boolean =>
    isScalar(value) || (Array.isArray(value) && value.every(isScalar));
  if (!isJsonObject(attributes)) return [invalid(pointer, 'Attributes are an object.')];
  const oversized = [
    ...countProblems(pointer, Object.keys(attributes), mostAttributes),
    ...jsonProblems(pointer, attributes, attributeLimits),
  ];
  if (oversized.length > 0 || Object.values(attributes).every(isFlat)) return oversized;
  return [invalid(pointer, 'An attribute is a text, a number, a boolean, or a list of them.')];
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
