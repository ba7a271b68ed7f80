import type { AccountTexts } from './AccountTexts.ts';

export const spanish: AccountTexts = {
  noScript:
    'Esta página necesita JavaScript: el enlace de su mensaje lo lee la propia página y no se envía a nadie más.',
  email: 'Dirección de correo',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva',
  passwordHint: 'Al menos 8 caracteres, mejor 15 o más. Sirven todos los caracteres.',
  showPassword: 'Mostrar la contraseña',
  sendLink: 'Enviar un enlace nuevo',
  linkSent:
    'Si esta dirección puede usar un enlace, está en camino. Mire en su buzón, también entre el correo no deseado.',
  confirmEmail: {
    title: 'Confirme su dirección',
    intro: 'Confirme que la dirección a la que se envió el mensaje es suya.',
    action: 'Confirmar la dirección',
    done: 'La dirección está confirmada. Puede cerrar esta página e iniciar sesión.',
    askAgain: 'Para recibir un enlace nuevo, escriba la dirección de su cuenta.',
  },
  resetPassword: {
    title: 'Establecer una contraseña nueva',
    intro: 'Elija una contraseña nueva. Se cerrará la sesión en todas partes.',
    action: 'Establecer la contraseña',
    done: 'La contraseña nueva está establecida. Puede cerrar esta página e iniciar sesión con ella.',
    askAgain:
      'Escriba la dirección de su cuenta para recibir un enlace con el que establecer una contraseña nueva.',
  },
  acceptInvitation: {
    title: 'Aceptar la invitación',
    intro:
      'Inicie sesión con la cuenta que tiene la dirección a la que se envió la invitación. Si aún no tiene ninguna, créela primero, confirme su dirección y abra otra vez el enlace.',
    action: 'Iniciar sesión y aceptar',
    code: 'Código de su aplicación de autenticación, o un código de recuperación',
    codeIntro: 'Su cuenta pide un segundo factor.',
    codeAction: 'Aceptar',
    done: 'Ahora es miembro. Puede cerrar esta página; dondequiera que inicie sesión, actúa por el concesionario.',
    noLink: 'Abra el enlace del mensaje con el que llegó la invitación.',
  },
  confirmNotice: {
    title: 'Confirmar la notificación',
    intro: 'Confirme que la notificación es suya. Después se revisa.',
    action: 'Confirmar la notificación',
    done: 'La notificación se ha recibido. Puede cerrar esta página; el resultado llega por correo.',
    noLink: 'Abra el enlace del mensaje que pedía la confirmación.',
  },
  messages: {
    not_found: 'Este enlace ya no vale. Pida uno nuevo.',
    token_consumed: 'Este enlace ya se usó. Si necesita otro, pídalo.',
    email_taken: 'Otra cuenta tiene ahora esta dirección. Inicie sesión con ella o elija otra dirección.',
    weak_password:
      'Esta contraseña es demasiado fácil de adivinar: es demasiado corta, muy común, o contiene su dirección, su nombre o el nombre de este sitio.',
    validation_failed: 'Esta dirección de correo no está completa.',
    invalid_credentials: 'La dirección, la contraseña o el código no son correctos. Inténtelo de nuevo.',
    otp_invalid: 'El código no es correcto o ya se usó. Espere al siguiente.',
    too_many_attempts: 'Demasiados intentos. Espere unos minutos e inténtelo de nuevo.',
    rate_limited: 'Demasiadas solicitudes. Espere un minuto e inténtelo de nuevo.',
    email_unverified: 'Confirme primero la dirección de su cuenta: el enlace se le envió por correo.',
    invitation_for_other_address:
      'La invitación se envió a otra dirección. Inicie sesión con la cuenta que la tiene.',
    invitation_expired: 'La invitación ha caducado. Pida una nueva a quien le invitó.',
    already_member: 'Ya es miembro de este concesionario. No queda nada por hacer.',
    dealer_not_active:
      'El concesionario no puede admitir miembros en este momento. Pregunte a quien le invitó.',
    quota_exceeded: 'El concesionario tiene todos los miembros que puede tener. Pregunte a quien le invitó.',
    account_suspended: 'Su cuenta está suspendida. Escriba al servicio de asistencia.',
    account_deletion_scheduled: 'Su cuenta se va a eliminar. Anule primero la eliminación.',
    offline: 'No se puede acceder al servidor. Compruebe su conexión e inténtelo de nuevo.',
    unknown: 'No ha funcionado. Inténtelo más tarde; si sigue así, escriba al servicio de asistencia.',
  },
  invitationMessages: {
    not_found: 'Esta invitación ya no existe: se retiró o se sustituyó por un mensaje más reciente.',
    token_consumed: 'Esta invitación ya se aceptó.',
  },
  noticeMessages: {
    not_found: 'Esta notificación ya no existe: su enlace ha caducado. Notifíquelo de nuevo.',
    token_consumed: 'Esta notificación ya se confirmó. No queda nada por hacer.',
  },
};
