import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** Part of an OpenAPI document that is changed here. */
interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}
interface Operation {
  parameters?: { example?: unknown }[];
  requestBody?: Content;
  responses: Record<string, Answer>;
}
interface Content {
  content?: Record<string, { schema?: object; example?: unknown }>;
}
interface Answer extends Content {
  $ref?: string;
  description?: string;
}

const refusal = { $ref: '#/components/responses/Refusal' };

/**
 * Returns the types of the REST style for `openapi-fetch`. They contain what a caller writes and reads. All refusals
 * have one shape, so they are not listed for each operation; headers are left to `Response`, examples to the
 * documentation.
 */
export async function restTypes(document: object): Promise<string> {
  const contract = structuredClone(document) as Contract;
  for (const operation of Object.values(contract.paths).flatMap((item) => Object.values(item))) {
    for (const parameter of operation.parameters ?? []) delete parameter.example;
    operation.responses = briefResponses(operation.responses);
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
      for (const media of Object.values(content)) delete media.example;
  }
  contract.components.responses = {
    Refusal: {
      description: 'A problem (RFC 9457).',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  };
  for (const group of ['headers', 'examples', 'securitySchemes']) delete contract.components[group];
  const nodes = await openapiTS(contract as unknown as OpenAPI3, { silent: true });
  return compact(astToString(nodes));
}

function briefResponses(responses: Record<string, Answer>): Record<string, Answer> {
  const successes = Object.entries(responses).filter(([status]) => status < '300');
  return Object.fromEntries([
    ...successes.map(([status, answer]): [string, Answer] => [status, onlyJson(answer)]),
    ['default', refusal],
  ]);
}

/** Returns the response with only its default media type, without tables and streams. */
function onlyJson({ content = {}, description = '' }: Answer): Answer {
  const { 'application/json': json } = content;
  return { description, content: json ? { 'application/json': json } : content };
}

/** Removes members for absent methods and absent kinds of parameters, and indents by tabs. */
function compact(text: string): string {
  return text
    .replace(/^ *\w+\?: never;\n/gm, '')
    .replace(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '')
    .replace(/\n *parameters: \{\n *\};/g, '')
    .replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
}
