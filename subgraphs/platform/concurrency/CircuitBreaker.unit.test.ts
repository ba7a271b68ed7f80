import { CircuitBreaker } from './CircuitBreaker.ts';

let now = 0;
let breaker: CircuitBreaker;

beforeEach(() => {
  now = 1000;
  breaker = new CircuitBreaker({ failures: 3, windowMs: 100, openMs: 50 }, () => now);
});

function call(outcome: 'success' | 'failure' | 'neither'): void {
  expect(breaker.enter()).toBe(0);
  breaker.leave(outcome);
}

function open(): void {
  for (let failures = 0; failures < 3; failures += 1) call('failure');
}

test('a breaker opens with the third failure and returns the remaining time', () => {
  open();
  expect(breaker.enter()).toBe(50);
  now += 20;
  expect(breaker.enter()).toBe(30);
});

test('failures that are farther apart than the window do not open a breaker', () => {
  for (let failures = 0; failures < 6; failures += 1) {
    call('failure');
    now += 60;
  }
  expect(breaker.enter()).toBe(0);
});

test('consecutive failures open a breaker without a window, however far apart they are', () => {
  breaker = new CircuitBreaker({ failures: 2, openMs: 50 }, () => now);
  call('failure');
  now += 1e9;
  call('failure');
  expect(breaker.enter()).toBe(50);
});

test('a success resets the count of failures, and a neutral outcome does not count', () => {
  call('failure');
  call('failure');
  call('neither');
  call('success');
  call('failure');
  call('failure');
  expect(breaker.enter()).toBe(0);
});

test('an open breaker admits one trial call after its time, and closes if the call succeeds', () => {
  open();
  now += 50;
  expect(breaker.enter()).toBe(0);
  expect(breaker.enter()).toBe(50);
  breaker.leave('success');
  expect(breaker.enter()).toBe(0);
});

test('a failed trial call opens a breaker again, and a trial call with a neutral outcome admits the next one', () => {
  open();
  now += 50;
  call('failure');
  expect(breaker.enter()).toBe(50);
  now += 50;
  call('neither');
  expect(breaker.enter()).toBe(0);
});
