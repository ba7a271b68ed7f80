import type { PlanNode, QueryPlan } from '@graphql-hive/router-query-planner';

/**
 * The subgraphs that an execution asks before anything is answered; of serial mutations those of the first one only, as
 * whatever follows it cannot be refused any more.
 */
export function entrySubgraphs([plan]: readonly QueryPlan[]): readonly string[] {
  const names = new Set<string>();
  collect(plan?.node, names);
  return [...names];
}

function collect(node: PlanNode | null | undefined, names: Set<string>): void {
  if (node == null) return;
  if (node.kind === 'Fetch') names.add(node.serviceName);
  else if (node.kind === 'Sequence') collect(node.nodes[0], names);
  else if (node.kind === 'Parallel') for (const child of node.nodes) collect(child, names);
  else if (node.kind === 'Condition')
    for (const clause of [node.ifClause, node.elseClause]) collect(clause, names);
}
