/** A proxy for an object, so that it can be destructured before it exists. */
export function lazily<Type extends object>(find: () => Type): Type {
  return new Proxy({} as Type, {
    get: (_, name) => Reflect.get(find(), name),
    has: (_, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(find(), name);
      // A member that the target of the proxy lacks must not be reported as non-configurable.
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
