import type {
  FlattenNodePathSegment,
  PlanNode,
  QueryPlan,
  RequiresSelection,
} from '@graphql-hive/router-query-planner';

/** Formats a plan as indented text: the fetches of subgraphs in their order. */
export function explainPlan(plan: QueryPlan): string {
  return plan.node == null ? 'Nothing to fetch\n' : `${explainNode(plan.node, 0).join('\n')}\n`;
}

function explainNode(node: PlanNode, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const nested = (children: readonly PlanNode[]) =>
    children.flatMap((child) => explainNode(child, depth + 1));
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return [`${indent}${node.kind}`, ...nested(node.nodes)];
    case 'Condition':
      return [
        ...(node.ifClause == null ? [] : [`${indent}If $${node.condition}`, ...nested([node.ifClause])]),
        ...(node.elseClause == null
          ? []
          : [`${indent}Unless $${node.condition}`, ...nested([node.elseClause])]),
      ];
    case 'Flatten':
      return [`${indent}At ${explainPath(node.path)}`, ...nested([node.node])];
    case 'Fetch':
      return [
        `${indent}Fetch from ${node.serviceName}`,
        ...explainRequires(node.requires, indent),
        `${indent}  ${node.operation.trim()}`,
      ];
    case 'BatchFetch':
      return [
        `${indent}Fetch from ${node.serviceName}`,
        ...node.entityBatch.aliases.flatMap((alias) => [
          `${indent}  ${alias.alias} at ${alias.paths.map(explainPath).join(' and ')}`,
          ...explainRequires(alias.requires, `${indent}  `),
        ]),
        `${indent}  ${node.operation.trim()}`,
      ];
    case 'Subscription':
      return [
        `${indent}Subscribe to ${node.primary.serviceName}`,
        `${indent}  ${node.primary.operation.trim()}`,
      ];
    default:
      return [`${indent}${node.kind} (not supported)`];
  }
}

function explainPath(path: readonly FlattenNodePathSegment[]): string {
  return path
    .map((segment) => {
      if (segment === '@') return '@';
      return 'Field' in segment ? segment.Field : `|[${segment.TypeCondition.join('|')}]`;
    })
    .join('.');
}

function explainRequires(
  requires: readonly RequiresSelection[] | null | undefined,
  indent: string,
): string[] {
  if (requires == null || requires.length === 0) return [];
  return [`${indent}  with ${requires.map(explainSelection).join(' ')}`];
}

function explainSelection(selection: RequiresSelection): string {
  if (selection.kind === 'FragmentSpread') return `...${selection.value}`;
  const nested = selection.selections ?? [];
  const inner = nested.length === 0 ? '' : ` { ${nested.map(explainSelection).join(' ')} }`;
  return selection.kind === 'Field'
    ? `${selection.name}${inner}`
    : `... on ${selection.typeCondition}${inner}`;
}
