import { Hook } from './Hook.ts';

test('a hook that is used before it is bound throws an error that names its domain', () => {
  const hook = new Hook<() => string>('people');
  expect(() => hook.bound()).toThrow('The hooks of people are not bound');
  hook.bind(() => 'bound');
  expect(hook.bound()).toBe('bound');
});
