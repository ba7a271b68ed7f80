import { buildSchema } from 'graphql';
import { type Deprecation, parseDeprecation } from '../deprecation/Deprecation.ts';
import { listDeprecations } from '../deprecation/listDeprecations.ts';
import type { Release } from './Release.ts';

/** Deprecation of a part as far as the release states it: OpenAPI has no reason and no first day. */
export type ReleasedDeprecation = Partial<Deprecation>;

interface Operation {
  readonly deprecated?: boolean;
  readonly 'x-sunset'?: string;
}

/** Returns the deprecated parts of a release by name: schema coordinates, and routes as in `GET /api/v1/me`. */
export function deprecatedIn({ api, openApi }: Release): ReadonlyMap<string, ReleasedDeprecation> {
  const members = listDeprecations(buildSchema(api, { assumeValidSDL: true })).map(
    ({ coordinate, reason }): [string, ReleasedDeprecation] => [
      coordinate,
      parseDeprecation(reason) ?? { reason },
    ],
  );
  const routes = operationsOf(openApi).flatMap(([name, operation]): [string, ReleasedDeprecation][] => {
    const { deprecated, 'x-sunset': until } = operation as Operation;
    return deprecated ? [[name, until === undefined ? {} : { until }]] : [];
  });
  return new Map([...members, ...routes]);
}

/** Returns the operations of an OpenAPI document by method and path. */
export function operationsOf(openApi: string): [name: string, operation: object][] {
  const { paths } = JSON.parse(openApi) as { paths: Record<string, Record<string, object>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, object] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}
