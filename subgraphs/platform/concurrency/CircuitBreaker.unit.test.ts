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

test('it opens with the last of so many failures, and says for how long', () => {
  open();
  expect(breaker.enter()).toBe(50);
  now += 20;
  expect(breaker.enter()).toBe(30);
});

test('failures that lie too far apart open nothing', () => {
  for (let failures = 0; failures < 6; failures += 1) {
    call('failure');
    now += 60;
  }
  expect(breaker.enter()).toBe(0);
});

test('without a time within which they lie, failures in a row open it', () => {
  breaker = new CircuitBreaker({ failures: 2, openMs: 50 }, () => now);
  call('failure');
  now += 1e9;
  call('failure');
  expect(breaker.enter()).toBe(50);
});

test('a success forgets the failures before it; what says neither does not', () => {
  call('failure');
  call('failure');
  call('neither');
  call('success');
  call('failure');
  call('failure');
  expect(breaker.enter()).toBe(0);
});

test('after its time one call tries and the others wait; success closes it', () => {
  open();
  now += 50;
  expect(breaker.enter()).toBe(0);
  expect(breaker.enter()).toBe(50);
  breaker.leave('success');
  expect(breaker.enter()).toBe(0);
});

test('a failed try opens it again at once, and one that came to nothing lets the next one try', () => {
  open();
  now += 50;
  call('failure');
  expect(breaker.enter()).toBe(50);
  now += 50;
  call('neither');
  expect(breaker.enter()).toBe(0);
});
