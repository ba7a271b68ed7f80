import { isListType } from 'graphql';
import { withRestRoot } from '../../schema/route/pathTemplate.ts';
import type { ParameterBinding, RouteBinding } from '../../schema/route/RouteBinding.ts';
import { exampleInput, exampleMembers } from './exampleInput.ts';

/** The same call in both styles. */
export interface ExampleCall {
  readonly method: string;
  /** Path with its parameters filled, and the query. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON body, if the route has one. */
  readonly body?: unknown;
  /** Variables of the operation. */
  readonly variables: Readonly<Record<string, unknown>>;
}

const exampleVersion = 3;
const exampleKey = '5f0c1c1e-9a55-4c7b-8a44-0d6f3a5f9a11';

/** Returns a sample call of a route with its requirements, and the resulting variables. */
export function exampleCall(binding: RouteBinding, restRoot: string): ExampleCall {
  const { route, parameters, ifMatch, idempotencyKey, acceptLanguage, echoes, body, field } = binding;
  const variables: Record<string, unknown> = {};
  const headers: [string, string][] = [];
  const query: string[] = [];
  let path = withRestRoot(route.path, restRoot);
  const wordsOf = (parameter: ParameterBinding) =>
    parameter.description ?? field.args.find(({ name }) => name === parameter.target[0])?.description;
  for (const parameter of parameters.filter((one) => isShown(binding, one))) {
    const { name, target, type } = parameter;
    const value = isSize(binding, parameter)
      ? { rest: 2, graphql: 2 }
      : exampleInput(type, name, wordsOf(parameter));
    setAt(variables, target, value.graphql);
    const text = encodeURIComponent(isListType(type) ? [value.rest].flat().join(',') : String(value.rest));
    if (parameter.in === 'path') path = path.replace(`{${name}}`, text);
    else query.push(`${name}=${text}`);
  }
  if (ifMatch) {
    headers.push(['if-match', `"${exampleVersion}-1a2b3c4d"`]);
    setAt(variables, ifMatch.target, ifMatch.isInt ? exampleVersion : String(exampleVersion));
  }
  if (idempotencyKey) {
    headers.push(['idempotency-key', exampleKey]);
    setAt(variables, idempotencyKey.target, exampleKey);
  }
  if (acceptLanguage) {
    headers.push(['accept-language', 'de']);
    setAt(variables, acceptLanguage.target, 'de');
  }
  for (const { variable, of } of echoes) if (of === 'presence') variables[variable] = false;
  const sent =
    body && !body.insteadOfQuery && body.members.length > 0
      ? exampleMembers(body.members, route.snakeCase)
      : undefined;
  if (body) variables[body.variable] = { ...sent?.graphql, ...(variables[body.variable] as object) };
  return {
    method: route.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers,
    ...(sent ? { body: sent.rest } : {}),
    variables,
  };
}

/** Returns whether a parameter is shown: path parameters, required ones, and the page size. */
function isShown(binding: RouteBinding, parameter: ParameterBinding): boolean {
  if (parameter.style === 'prefix') return false;
  return parameter.in === 'path' || parameter.required || isSize(binding, parameter);
}

function isSize({ paging }: RouteBinding, { name }: ParameterBinding): boolean {
  return paging?.size.name === name;
}

function setAt(
  variables: Record<string, unknown>,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) variables[first] = value;
  else setAt((variables[first] ??= {}) as Record<string, unknown>, rest, value);
}
