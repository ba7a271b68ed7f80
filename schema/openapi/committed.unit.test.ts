import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { tagWords } from './tagWords.ts';

interface Media {
  schema?: object;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}
interface Answer {
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: object;
    responses: Record<string, Answer>;
    examples: Record<string, { value: unknown }>;
  };
}
const document = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8'),
) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

test('the committed contract is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document) as never);
  expect(result).toEqual({ valid: true });
});

test('every tag of the committed contract describes its own routes', () => {
  const words = document.tags.map(({ description }) => description);
  expect(new Set(words).size).toBe(document.tags.length);
  expect(document.tags.map(({ name }) => name).sort()).toEqual(Object.keys(tagWords).sort());
});

test('every example of the committed contract is valid for its schema', () => {
  const formats = { 'date-time': true, uri: true, int32: true, int64: true, 'uri-reference': true } as const;
  const ajv = new Ajv2020({ strict: false, formats });
  const { schemas, responses: shared, examples } = document.components;
  ajv.addSchema({ $id: 'contract', components: { schemas } });
  // Most operations share their refusals, so each schema is compiled once.
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const compile = (schema: object = {}) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"contract#/components/');
    const known = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, known);
    return known;
  };
  const own = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].map((part) => [operationId, part?.content] as const),
  );
  const common = Object.entries(shared).map(([name, { content }]) => [name, content] as const);
  for (const [name, content] of [...own, ...common]) {
    for (const { schema, example, examples: named = {} } of Object.values(content ?? {})) {
      const values = Object.values(named).map(
        ({ $ref }) => examples[$ref.replace('#/components/examples/', '')]?.value,
      );
      for (const value of example === undefined ? values : [example, ...values]) {
        const validate = compile(schema);
        expect([name, validate(value), validate.errors]).toEqual([name, true, null]);
      }
    }
  }
});

test('every operation of the committed contract has a unique operationId', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});
