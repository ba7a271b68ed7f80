import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const root = path.join(import.meta.dirname, '..');

/** Returns a file of the package. */
export function readPackageFile(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** The reusable workflow of GitHub, as far as tests read it. */
export interface Workflow {
  readonly on: { readonly workflow_call: { readonly inputs: Readonly<Record<string, { default: string }>> } };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly env: Readonly<Record<string, string>>;
        readonly steps: readonly { uses?: string; run?: string; with?: Record<string, unknown> }[];
      }
    >
  >;
}

/** The template of GitLab: its inputs and its job. */
export interface Template {
  readonly inputs: Readonly<Record<string, { default: string }>>;
  readonly job: {
    readonly variables: Readonly<Record<string, string>>;
    readonly script: readonly string[];
    readonly artifacts: { readonly reports: { readonly junit: string } };
  };
}

/** Parses the workflow; throws if it is not YAML. */
export function readWorkflow(): Workflow {
  return parse(readPackageFile('ci/github-workflow.yml')) as Workflow;
}

/** Parses the template; throws if it is not YAML with a header and a job. */
export function readTemplate(): Template {
  const documents = parseAllDocuments(readPackageFile('ci/gitlab-template.yml'));
  const errors = documents.flatMap((document) => document.errors);
  if (errors[0]) throw errors[0];
  const [header, content] = documents.map((document) => document.toJS() as Record<string, unknown>);
  const spec = header?.spec as Pick<Template, 'inputs'>;
  return { inputs: spec.inputs, job: content?.['schema-check'] as Template['job'] };
}

/** Returns the commands of the workflow. */
export function workflowCommands(): string[] {
  return Object.values(readWorkflow().jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}
