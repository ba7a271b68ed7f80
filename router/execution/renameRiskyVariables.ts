import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

/**
 * Gives other names to the client's variables that the planner would declare a second time: `$representations`
 * and names that start with an underscore (`$__batch_reps_0`).
 *
 * @returns the document, and the new name of every variable that got one.
 */
export function renameRiskyVariables(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): { readonly document: DocumentNode; readonly renamed: ReadonlyMap<string, string> } {
  const names = (operation.variableDefinitions ?? []).map((node) => node.variable.name.value);
  const risky = names.filter((name) => name === 'representations' || name.startsWith('_'));
  if (risky.length === 0) return { document, renamed: new Map() };
  let prefix = 'renamed';
  while (names.some((name) => name.startsWith(prefix))) prefix = `x${prefix}`;
  const renamed = new Map(risky.map((name) => [name, `${prefix}${name}`]));
  const rewritten = visit(document, {
    Variable(node) {
      const name = renamed.get(node.name.value);
      return name === undefined ? undefined : { ...node, name: { kind: Kind.NAME, value: name } };
    },
  });
  return { document: rewritten, renamed };
}
