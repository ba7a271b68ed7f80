import { readDeployment } from './deployment.ts';
import { type Environment, readAll, text, toggle } from './Setting.ts';

/** Settings of what `/graphql` executes. */
export const graphqlSettings = {
  introspection: toggle('INTROSPECTION', {
    fallback: (environment) => readDeployment(environment).demonstration,
    shown: 'as `DEMO`',
    meaning:
      '`on`: clients may query the schema, which the explorer needs. `off`: error messages contain no suggested names either.',
  }),
  registeredOperations: text('REGISTERED_OPERATIONS', {
    meaning:
      'Operations of the frontends, prepared at start and requested by id; see [registered operations](../how-to/registered-operations.md).',
    allowed: 'a file or a folder',
  }),
  registeredOnly: toggle('REGISTERED_ONLY', {
    fallback: false,
    meaning: '`on`: `/graphql` executes registered operations only.',
  }),
  operationsLog: text('OPERATIONS_LOG', {
    meaning:
      'File that each distinct operation is appended to, without literals and variables, for [schema checks](../how-to/schema-checks.md).',
    allowed: 'a file that the process may write to',
  }),
};

export function readGraphql(environment: Environment) {
  const values = readAll(graphqlSettings, environment);
  if (values.registeredOnly && values.registeredOperations === undefined)
    throw new Error(
      'REGISTERED_ONLY is "on" without operations. Set REGISTERED_OPERATIONS to their file or folder.',
    );
  return values;
}
