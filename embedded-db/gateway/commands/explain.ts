import type { Document } from 'bson';
import { type Command, namespaceOf } from '../Command.ts';
import { CommandError } from '../CommandError.ts';
import { executeSql } from '../executeSql.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { textAt } from '../postgres/rows.ts';
import { type BsonBytes, encode } from '../wire/bson.ts';
import { RawDocument } from '../wire/RawDocument.ts';

/** PostgreSQL's plan, of which these parts are read; see EXPLAIN in its manual. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

interface Examined {
  documents: number;
  keys: number;
}

const explainable: Readonly<Record<string, string>> = {
  find: 'find',
  aggregate: 'pipeline',
  count: 'count',
  distinct: 'distinct',
};

/** Returns PostgreSQL's plan in MongoDB's terms, so that tests of index use work on every engine. */
export async function explain(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const explained = command.body.embedded('explain');
  if (!explained) throw new CommandError('BadValue', 'explain needs a command');
  const inner = new RawDocument(explained);
  const query = explainable[inner.firstName];
  if (!query) throw new CommandError('CommandNotSupported', `explain of ${inner.firstName} is not supported`);

  const isExecuted = command.body.string('verbosity') !== 'queryPlanner';
  const options = `FORMAT JSON, VERBOSE${isExecuted ? ', ANALYZE, TIMING OFF' : ''}`;
  const sql = `EXPLAIN (${options}) SELECT document FROM documentdb_api_catalog.bson_aggregation_${query}($1,$2::bytea)`;
  const rows = await executeSql(services, command, (connection) =>
    connection.queryOnce(sql, [command.database, explained]),
  );
  const [plan] = JSON.parse(textAt(rows[0], 0)) as { Plan: PlanNode; 'Execution Time'?: number }[];
  if (!plan) throw new Error('EXPLAIN returned no plan');

  const examined: Examined = { documents: 0, keys: 0 };
  const winningPlan = toStage(plan.Plan, examined);
  return encode({
    explainVersion: '1',
    queryPlanner: {
      namespace: namespaceOf(command, inner.string(inner.firstName) ?? ''),
      winningPlan,
      rejectedPlans: [],
      postgres: plan.Plan,
    },
    ...(isExecuted ? { executionStats: toExecutionStats(plan, examined, winningPlan) } : {}),
    ok: 1,
  });
}

function toExecutionStats(
  plan: { Plan: PlanNode; 'Execution Time'?: number },
  examined: Examined,
  executionStages: Document,
): Document {
  return {
    executionSuccess: true,
    nReturned: plan.Plan['Actual Rows'],
    executionTimeMillis: Math.round(plan['Execution Time'] ?? 0),
    totalKeysExamined: examined.keys,
    totalDocsExamined: examined.documents,
    executionStages,
  };
}

function toStage(node: PlanNode, examined: Examined): Document {
  const stage = stageOf(node);
  const rows = node['Actual Rows'] ?? 0;
  if (stage === 'IXSCAN') {
    examined.keys += rows;
    examined.documents += rows + (node['Rows Removed by Index Recheck'] ?? 0);
  }
  if (stage === 'COLLSCAN') examined.documents += rows + (node['Rows Removed by Filter'] ?? 0);
  const [input] = node.Plans ?? [];
  return {
    stage,
    indexName: node['Index Name'],
    nReturned: node['Actual Rows'],
    inputStage: input && toStage(input, examined),
  };
}

function stageOf(node: PlanNode): string {
  const type = node['Node Type'];
  if (type.includes('Index')) return 'IXSCAN';
  // DocumentDB wraps its index scans in custom nodes, which contain the index.
  if (type === 'Custom Scan' && JSON.stringify(node).includes('Index')) return 'IXSCAN';
  if (type.includes('Scan') && node['Relation Name']) return 'COLLSCAN';
  if (type === 'Sort') return 'SORT';
  if (type === 'Limit') return 'LIMIT';
  if (type.includes('Aggregate')) return 'GROUP';
  return type.toUpperCase().replaceAll(' ', '_');
}
