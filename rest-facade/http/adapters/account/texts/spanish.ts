import type { AccountTexts } from './AccountTexts.ts';

export const spanish: AccountTexts = {
  noScript:
    'Esta página necesita JavaScript. Lee por sí misma el enlace de su correo y no lo comparte con nadie.',
  email: 'Dirección de correo',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  passwordHint: 'Al menos 8 caracteres, mejor 15 o más. Se admiten todos los caracteres.',
  showPassword: 'Mostrar la contraseña',
  sendLink: 'Enviar un enlace nuevo',
  linkSent:
    'Si alguna cuenta necesita un enlace, lo hemos enviado a esta dirección. Revise su bandeja de entrada y la carpeta de correo no deseado.',
  confirmEmail: {
    title: 'Confirme su dirección de correo',
    intro: 'Confirme que la dirección a la que enviamos el correo es suya.',
    action: 'Confirmar la dirección de correo',
    done: 'Su dirección de correo está confirmada. Puede cerrar esta página e iniciar sesión.',
    askAgain: 'Para recibir un enlace nuevo, escriba la dirección de correo de su cuenta.',
  },
  resetPassword: {
    title: 'Establecer una contraseña nueva',
    intro: 'Elija una contraseña nueva. Se cerrarán todas sus sesiones.',
    action: 'Establecer la contraseña',
    done: 'Ya tiene su contraseña nueva. Puede cerrar esta página e iniciar sesión con ella.',
    askAgain:
      'Escriba la dirección de correo de su cuenta para recibir un enlace con el que establecer una contraseña nueva.',
  },
  acceptInvitation: {
    title: 'Aceptar la invitación',
    intro:
      'Inicie sesión con la cuenta cuya dirección de correo recibió la invitación. Si aún no tiene cuenta, cree una, confirme su dirección de correo y vuelva a abrir el enlace.',
    action: 'Iniciar sesión y aceptar',
    code: 'Código de su aplicación de autenticación, o un código de recuperación',
    codeIntro: 'Su cuenta requiere un segundo factor.',
    codeAction: 'Aceptar',
    done: 'Ya es miembro. Puede cerrar esta página. Cuando inicie sesión, podrá actuar en nombre del vendedor profesional.',
    noLink: 'Abra el enlace del correo de invitación.',
  },
  confirmNotice: {
    title: 'Confirmar la notificación',
    intro: 'Confirme que la notificación es suya. Después se revisará.',
    action: 'Confirmar la notificación',
    done: 'Hemos recibido su notificación. Puede cerrar esta página. Le comunicaremos el resultado por correo.',
    noLink: 'Abra el enlace del correo de confirmación.',
  },
  returned: {
    title: 'De vuelta del proveedor de pagos',
    done: 'Sus datos se enviaron al proveedor de pagos. Puede cerrar esta página. El resultado se muestra donde comenzó.',
  },
  messages: {
    not_found: 'Este enlace ha caducado. Solicite uno nuevo.',
    token_consumed: 'Este enlace ya se ha usado. Si necesita otro, solicítelo.',
    email_taken:
      'Esta dirección de correo pertenece ahora a otra cuenta. Inicie sesión en esa cuenta o elija otra dirección.',
    weak_password:
      'Esta contraseña es demasiado fácil de adivinar: es demasiado corta, muy común, o contiene su dirección de correo, su nombre o el nombre de este sitio.',
    validation_failed: 'Esta dirección de correo no está completa.',
    invalid_credentials:
      'La dirección de correo, la contraseña o el código no son correctos. Inténtelo de nuevo.',
    otp_invalid: 'El código no es correcto o ya se ha usado. Espere al siguiente.',
    too_many_attempts: 'Demasiados intentos. Espere unos minutos e inténtelo de nuevo.',
    rate_limited: 'Demasiadas solicitudes. Espere un minuto e inténtelo de nuevo.',
    email_unverified:
      'Confirme primero la dirección de correo de su cuenta. Le hemos enviado el enlace por correo.',
    invitation_for_other_address:
      'La invitación se envió a otra dirección de correo. Inicie sesión con la cuenta de esa dirección.',
    invitation_expired: 'La invitación ha caducado. Solicite una nueva a la persona que le invitó.',
    already_member: 'Ya es miembro de este vendedor profesional. No tiene que hacer nada más.',
    dealer_not_active:
      'El vendedor profesional no puede admitir miembros en este momento. Pregunte a la persona que le invitó.',
    quota_exceeded:
      'El vendedor profesional ha alcanzado el número máximo de miembros. Pregunte a la persona que le invitó.',
    account_suspended: 'Su cuenta está suspendida. Póngase en contacto con el servicio de asistencia.',
    account_deletion_scheduled: 'La eliminación de su cuenta está programada. Cancélela primero.',
    offline: 'No se puede acceder al servidor. Compruebe su conexión e inténtelo de nuevo.',
    unknown:
      'Se ha producido un error. Inténtelo más tarde. Si se repite, póngase en contacto con el servicio de asistencia.',
  },
  invitationMessages: {
    not_found: 'Esta invitación ya no existe. Se ha retirado o se ha sustituido por un correo más reciente.',
    token_consumed: 'Esta invitación ya se ha aceptado.',
  },
  noticeMessages: {
    not_found: 'Esta notificación ya no existe porque su enlace ha caducado. Envíela de nuevo.',
    token_consumed: 'Esta notificación ya se ha confirmado. No tiene que hacer nada más.',
  },
};
