import { readPackageFile, readTemplate, readWorkflow, workflowCommands } from './pipelines.ts';

const readme = readPackageFile('README.md');
const [, section = ''] = /^## In a pipeline$(.*)/ms.exec(readme) ?? [];
const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text.trim().split('\n'));

test('the page of the package lists the commands of the workflow and of the template, and no others', () => {
  expect(blocks).toEqual([workflowCommands(), readTemplate().job.script]);
});

test('the workflow can be called, reads the whole history, and has no right to write', () => {
  const { on, permissions, jobs } = readWorkflow();
  const inputs = Object.entries(on.workflow_call.inputs).map(([name, { default: value }]) => [name, value]);
  expect(Object.fromEntries(inputs)).toEqual({
    base: '',
    config: 'schema-check.json',
    'fail-on': 'breaking',
    'node-version': '24',
  });
  expect(permissions).toEqual({ contents: 'read' });
  const [job] = Object.values(jobs);
  expect(job?.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with).toEqual({
    'fetch-depth': 0,
  });
});

test('the commands of the workflow contain no expression, so that names of branches cannot inject commands', () => {
  const commands = workflowCommands();
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(command).not.toContain('${{');
});

test('the template has the inputs of the workflow, reads the whole history, and keeps the report', () => {
  const { inputs, job } = readTemplate();
  expect(Object.keys(inputs)).toEqual(['base', 'config', 'fail-on']);
  expect(job.variables).toMatchObject({ GIT_DEPTH: '0', CONFIG: '$[[ inputs.config ]]' });
  expect(job.script.at(-1)).toContain(`> ${job.artifacts.reports.junit}`);
});

test('the examples of callers on the page are YAML that states only known inputs', () => {
  expect(section.match(/uses: \S+\/\.github\/workflows\/\S+@\w+/)).not.toBeNull();
  const names = [...section.matchAll(/^ {6}([\w-]+): \w+$/gm)].map(([, name]) => name);
  expect(names).toEqual(['fail-on', 'fail-on']);
});
