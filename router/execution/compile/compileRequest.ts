import type { FetchNode } from '@graphql-hive/router-query-planner';
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { isPromise } from '../../transport/isPromise.ts';
import type {
  CompileOptions,
  SubgraphContext,
  SubgraphResult,
  Transport,
  Variables,
} from '../../transport/Transport.ts';
import { responseNameOf, rootFieldsOf } from '../operation/filterRootFields.ts';
import type { TypeConditions } from './TypeConditions.ts';

/** Context in which the nodes of a plan are compiled. */
export interface PlanCompilation {
  readonly supergraph: GraphQLSchema;
  readonly conditions: TypeConditions;
  readonly transports: ReadonlyMap<string, Transport>;
  /** Names of the operation's variables, in order. */
  readonly variableNames: readonly string[];
  readonly options: CompileOptions;
  readonly observeFetch: ObserveFetch | undefined;
}

/** Called before each fetch. The returned function is called with the result (spans, histograms). */
export type ObserveFetch = (
  fetch: { readonly serviceName: string; readonly operationType: OperationTypeNode },
  context: SubgraphContext,
) => ((result: SubgraphResult) => void) | undefined;

/** A fetch of the plan without its position in the data. It never throws or rejects. */
export interface CompiledRequest {
  readonly document: DocumentNode;
  readonly serviceName: string;
  readonly rootNames: readonly string[];
  /** The variables of the operation that this fetch uses. */
  readonly pickVariables: (variables: Variables) => Variables;
  readonly send: (variables: Variables, context: SubgraphContext) => SubgraphResult | Promise<SubgraphResult>;
}

type RequestNode = Pick<FetchNode, 'serviceName' | 'operation' | 'operationKind' | 'variableUsages'>;

export function compileRequest(node: RequestNode, compilation: PlanCompilation): CompiledRequest {
  const { serviceName } = node;
  const transport = compilation.transports.get(serviceName);
  if (transport === undefined) throw new Error(`There is no transport for the subgraph "${serviceName}".`);
  const document = parse(node.operation, { noLocation: true });
  const operation = operationOf(document);
  const operationType =
    (node.operationKind as OperationTypeNode | null | undefined) ?? OperationTypeNode.QUERY;
  const request = transport.compile(document, node.operation, operationType, compilation.options);
  const { observeFetch } = compilation;
  const isQuery = operationType === OperationTypeNode.QUERY;
  const send: CompiledRequest['send'] = (variables, context) => {
    // The client has disconnected. A mutation that has started is still completed.
    if (isQuery && context.signal?.aborted === true) return toFailure(null, serviceName, 'UPSTREAM_TIMEOUT');
    // After the deadline nothing starts, in particular no mutation: its client learns that it was not executed.
    if (context.deadlineAt !== undefined && performance.now() >= context.deadlineAt)
      return toFailure(null, serviceName, 'UPSTREAM_TIMEOUT');
    const observed = observeFetch?.({ serviceName, operationType }, context);
    const result = attempt(() => request(variables, context), serviceName);
    if (observed === undefined) return result;
    return whenSettled(result, (settled) => {
      observed(settled);
      return settled;
    });
  };
  return {
    document,
    serviceName,
    rootNames: [...new Set(rootFieldsOf(document, operation).map(responseNameOf))],
    pickVariables: compilePick(node.variableUsages ?? [], compilation.variableNames),
    send,
  };
}

export function operationOf(document: DocumentNode): OperationDefinitionNode {
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) return definition;
  }
  throw new Error('The document contains no operation.');
}

export function whenSettled<T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

/** Runs a transport. It reports failures as errors; a thrown value must not reach the client. */
function attempt(
  run: () => SubgraphResult | Promise<SubgraphResult>,
  serviceName: string,
): SubgraphResult | Promise<SubgraphResult> {
  try {
    const result = run();
    return isPromise(result) ? result.catch((error: unknown) => toFailure(error, serviceName)) : result;
  } catch (error) {
    return toFailure(error, serviceName);
  }
}

function toFailure(
  error: unknown,
  serviceName: string,
  code: 'UPSTREAM_ERROR' | 'UPSTREAM_TIMEOUT' = 'UPSTREAM_ERROR',
): SubgraphResult {
  return {
    errors: [
      {
        message: `The subgraph "${serviceName}" failed to answer.`,
        extensions: { code, serviceName },
        originalError: error === null || error instanceof Error ? error : new Error(String(error)),
      },
    ],
  };
}

function compilePick(
  usages: readonly string[],
  defined: readonly string[],
): (variables: Variables) => Variables {
  if (usages.length === 0) {
    const none = Object.freeze({});
    return () => none;
  }
  if (defined.length === usages.length) return (variables) => variables;
  return (variables) => {
    const picked: Record<string, unknown> = {};
    for (const name of usages) if (Object.hasOwn(variables, name)) picked[name] = variables[name];
    return picked;
  };
}
