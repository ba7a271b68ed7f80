import { readFileSync } from 'node:fs';
import { defaultRestRoot, withRestRoot } from '../../schema/route/pathTemplate.ts';
import type { Route } from '../../schema/route/Route.ts';

/** Bodies by media type. */
export interface Content {
  content?: Record<string, { schema?: object; example?: unknown; examples?: object }>;
}

/** An answer as the OpenAPI document describes it. */
export interface Answer extends Content {
  $ref?: string;
  headers?: Record<string, unknown>;
  'x-codes'?: string[];
}

/** A route as the OpenAPI document describes it. */
export interface Operation {
  operationId: string;
  parameters?: { name?: string; $ref?: string; in?: string; required?: boolean }[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Answer>;
}

/** The committed OpenAPI document. */
export const document = JSON.parse(
  readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer>; schemas: object };
};

export function operationOf({ path, method }: Pick<Route, 'method' | 'path'>): Operation {
  const operation = document.paths[withRestRoot(path, defaultRestRoot)]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not documented.`);
  return operation;
}

/** The documented answer of an operation for a status. Undefined if the status is not documented. */
export function answerOf({ responses }: Operation, status: number): Answer | undefined {
  const found = responses[status];
  return found?.$ref ? document.components.responses[found.$ref.split('/').at(-1) ?? ''] : found;
}

/** Describes the undocumented status or code of an answer. Null if both are documented. */
export function findUndocumented(
  route: Pick<Route, 'method' | 'path'>,
  { status, json }: { readonly status: number; readonly json?: { readonly code?: string } },
): string | null {
  const documented = answerOf(operationOf(route), status);
  if (!documented) return `${status} ${json?.code ?? ''} is not documented`;
  const codes = documented['x-codes'];
  if (!codes || json?.code === undefined || codes.includes(json.code)) return null;
  return `${status} ${json.code} is none of its documented codes`;
}
