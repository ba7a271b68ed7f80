import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Media {
  schema?: object;
  example?: unknown;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}
const document = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8'),
) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

test('the committed contract is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document) as never);
  expect(result).toEqual({ valid: true });
});

test('every example of the committed contract fits its schema', () => {
  const formats = { 'date-time': true, uri: true, int32: true, 'uri-reference': true } as const;
  const ajv = new Ajv2020({ strict: false, formats });
  for (const { operationId, requestBody, responses } of operations) {
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const { schema, example } of contents.flatMap((content) => Object.values(content ?? {}))) {
      if (!schema || example === undefined) continue;
      const validate = ajv.compile({ ...schema, components: document.components });
      expect([operationId, validate(example), validate.errors]).toEqual([operationId, true, null]);
    }
  }
});

test('every operation has a name of its own', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
});
