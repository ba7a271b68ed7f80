import {
  type InstallationRole,
  impliedPermissions,
  installationRoles,
  type Permission,
  permissions,
} from '../../../../schema/permissions.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { heldByRoles } from '../../../platform/principal/Viewer.ts';
import { permissionMeanings, roleMeanings } from './meanings.ts';

const names = Object.keys(permissions) as Permission[];

/** Returns the applied permissions of `schema/permissions.ts`. Only the second factor depends on the installation. */
export function roles({ installation }: Pick<RequestContext, 'installation'>) {
  const { mfaRequiredRoles } = installation.settings;
  return {
    roles: installationRoles.map((role) => ({
      role,
      description: roleMeanings[role],
      mfaRequired: mfaRequiredRoles.includes(role),
      grants: names.flatMap((permission) => {
        const breadth = breadthOf(role, permission);
        return breadth ? [{ permission, breadth }] : [];
      }),
    })),
    permissions: names.map((name) => ({
      name,
      description: permissionMeanings[name],
      roles: installationRoles.filter((role) => breadthOf(role, name) === 'any'),
      own: [...permissions[name].own],
      operator: heldByRoles(['operator']).has(name),
      implies: [...(impliedPermissions[name] ?? [])],
    })),
  };
}

function breadthOf(role: InstallationRole, permission: Permission): 'any' | 'own' | null {
  if (heldByRoles([role]).has(permission)) return 'any';
  const own: readonly string[] = permissions[permission].own;
  return role === 'seller' && own.includes('seller') ? 'own' : null;
}
