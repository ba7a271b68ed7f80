import type { MailTexts } from './MailTexts.ts';
import { spanish as money } from './money/spanish.ts';

const notYou =
  'Si no fue usted, establezca de inmediato una contraseña nueva y cierre las sesiones que no reconozca.';

export const spanish: MailTexts = {
  greeting: 'Hola, {displayName}:',
  plainGreeting: 'Hola:',
  copyLink: 'Si el enlace no se abre, copie esta dirección en su navegador:',
  closing: 'Este mensaje fue enviado por {installation}. Las respuestas no se leen.',
  rejectionReasons: {
    document_missing: 'falta un documento',
    document_unreadable: 'un documento no se puede leer',
    document_expired: 'un documento ya no es válido',
    identity_mismatch: 'el representante no es la persona de los documentos',
    registration_not_found: 'el registro no conoce la empresa',
    vat_id_invalid: 'el número de IVA no es de la empresa',
    address_not_proven: 'la dirección no está probada',
    business_not_allowed: 'no se admite este tipo de empresa',
    fraud_suspected: 'hay indicios de fraude',
    other: 'otro motivo',
  },
  rejectionGrounds: {
    illegal: 'contrario a la ley',
    fraud: 'indicios de fraude',
    prohibited: 'no se admite aquí',
    miscategorised: 'categoría equivocada',
    misleading: 'datos falsos o incompletos',
    infringement: 'vulnera un derecho de otra persona',
    harassment: 'hiere o amenaza a personas',
    spam: 'anuncia otra cosa o no sirve a nadie',
    duplicate: 'ya está ofrecido',
    incomplete: 'los textos o las imágenes no muestran lo que se ofrece',
    other: 'otro motivo',
  },
  mails: {
    ...money,
    verifyEmail: {
      subject: 'Confirme su dirección para {installation}',
      body: [
        'Se ha creado una cuenta en {installation} con esta dirección. Confirme que es suya; hasta entonces, la cuenta no puede publicar ni escribir a nadie.',
        'El enlace vale 24 horas y funciona una sola vez.',
      ],
      action: 'Confirmar la dirección',
      note: ['Si no ha creado ninguna cuenta, no haga nada: sin confirmación se elimina a los 30 días.'],
    },
    accountExists: {
      subject: 'Ya tiene una cuenta en {installation}',
      body: [
        'Alguien ha querido crear una cuenta en {installation} con esta dirección, que ya pertenece a su cuenta. No se ha cambiado nada.',
        'Si fue usted, inicie sesión como siempre. Si ya no sabe su contraseña, puede establecer una nueva.',
      ],
      action: 'Establecer una contraseña nueva',
      note: ['Si no fue usted, no haga nada.'],
    },
    confirmNewEmail: {
      subject: 'Confirme su nueva dirección para {installation}',
      body: [
        'Esta dirección va a ser la de su cuenta en {installation}. Lo será en cuanto la confirme.',
        'El enlace vale 24 horas y funciona una sola vez.',
      ],
      action: 'Confirmar la nueva dirección',
      note: ['Si no sabe nada de esto, no haga nada: la cuenta conserva su dirección.'],
    },
    emailChangeRequested: {
      subject: 'Su dirección en {installation} va a cambiar',
      body: [
        'Alguien que ha iniciado sesión en su cuenta de {installation} quiere cambiar su dirección a {newEmail}. El cambio vale en cuanto se confirme desde allí.',
        notYou,
      ],
    },
    emailChanged: {
      subject: 'Su dirección en {installation} ha cambiado',
      body: [
        'La dirección de su cuenta en {installation} es ahora {newEmail}. Este es el último mensaje a la dirección anterior.',
        'Si no fue usted, escriba de inmediato al servicio de asistencia de {installation}.',
      ],
    },
    resetPassword: {
      subject: 'Establezca una contraseña nueva para {installation}',
      body: [
        'Se ha pedido una contraseña nueva para su cuenta en {installation}. Con este enlace puede establecerla.',
        'El enlace vale 30 minutos y funciona una sola vez.',
      ],
      action: 'Establecer una contraseña nueva',
      note: ['Si no fue usted, no haga nada: su contraseña sigue igual.'],
    },
    passwordChanged: {
      subject: 'Su contraseña en {installation} ha cambiado',
      body: [
        'Se ha cambiado la contraseña de su cuenta en {installation} y se han cerrado las demás sesiones.',
        notYou,
      ],
    },
    sessionEndedByReuse: {
      subject: 'Se ha cerrado una sesión en {installation}',
      body: [
        'La clave de una de sus sesiones en {installation} se ha usado por segunda vez, como ocurre cuando alguien la ha copiado. La sesión se ha cerrado; inicie sesión de nuevo para continuar.',
        'Si no encuentra explicación, establezca una contraseña nueva y revise sus sesiones.',
      ],
    },
    identityLinked: {
      subject: 'Se ha añadido otra forma de iniciar sesión en {installation}',
      body: [
        'Desde ahora también se puede iniciar sesión en su cuenta de {installation} con «{label}».',
        notYou,
      ],
    },
    mfaFactorAdded: {
      subject: 'Se ha añadido un segundo factor en {installation}',
      body: [
        'Se ha añadido el segundo factor «{label}» a su cuenta en {installation}. Desde ahora se pide en cada inicio de sesión.',
        notYou,
      ],
    },
    mfaFactorRemoved: {
      subject: 'Se ha quitado un segundo factor en {installation}',
      body: [
        'Se ha quitado el segundo factor «{label}» de su cuenta en {installation} y se han cerrado las demás sesiones.',
        notYou,
      ],
    },
    recoveryCodeUsed: {
      subject: 'Se ha usado un código de recuperación en {installation}',
      body: [
        'Alguien ha iniciado sesión en su cuenta de {installation} con un código de recuperación. {left, plural, =0 {No queda ninguno: cree otros nuevos.} one {Queda uno.} other {Quedan #.}}',
        notYou,
      ],
    },
    accountSuspended: {
      subject: 'Su cuenta en {installation} ha sido suspendida',
      body: [
        'Su cuenta en {installation} ha sido suspendida. Motivo indicado: {detail}',
        'Todavía puede iniciar sesión para leer sus datos, exportarlos y eliminar la cuenta.',
      ],
    },
    accountReinstated: {
      subject: 'Su cuenta en {installation} vuelve a estar abierta',
      body: ['Su cuenta en {installation} puede usarse de nuevo sin restricciones.'],
    },
    accountDeletionScheduled: {
      subject: 'Su cuenta en {installation} se va a eliminar',
      body: [
        'Se ha pedido la eliminación de su cuenta en {installation}. El {effectiveAt, date, long} se borrará para siempre con todo lo personal que contiene.',
        'Hasta entonces puede iniciar sesión y anular la eliminación.',
        notYou,
      ],
    },
    accountDeletionCanceled: {
      subject: 'Su cuenta en {installation} se conserva',
      body: ['Se ha anulado la eliminación de su cuenta en {installation}. No se ha perdido nada.', notYou],
    },
    dataExportReady: {
      subject: 'Sus datos de {installation} están listos',
      body: [
        'La exportación de sus datos en {installation} está lista. Inicie sesión para descargarla, hasta el {expiresAt, date, long}.',
        notYou,
      ],
    },
    dealerInvitation: {
      subject: 'Únase a {tradeName} en {installation}',
      body: [
        '{invitedBy} le invita a unirse a {tradeName} en {installation} como {role, select, owner {propietario o propietaria} manager {responsable} other {agente}}.',
        'Inicie sesión con la cuenta que tiene esta dirección, o cree antes una. El enlace vale 7 días y funciona una sola vez.',
      ],
      action: 'Ver la invitación',
      note: ['Si no conoce a quien la envía, no haga nada.'],
    },
    dealerApproved: {
      subject: '{tradeName} ha sido aprobado en {installation}',
      body: [
        'Los datos de {tradeName} se han comprobado y aprobado. Desde ahora puede publicar en {installation}.',
      ],
    },
    dealerRejected: {
      subject: 'Los datos de {tradeName} necesitan cambios',
      body: [
        'Los datos de {tradeName} en {installation} no se han podido aprobar. Motivos: {reasons}',
        '{detail}',
        '{final, select, true {Esta decisión es definitiva.} other {Puede corregir los datos y enviarlos de nuevo.}}',
      ],
    },
    dealerVerificationExpired: {
      subject: 'La verificación de {tradeName} ha caducado',
      body: [
        'La verificación de {tradeName} en {installation} ya no está en vigor: han pasado 24 meses, o un documento ha caducado.',
        'Indique los datos de nuevo y envíelos.',
      ],
    },
    dealerSuspended: {
      subject: '{tradeName} ha sido suspendido en {installation}',
      body: [
        '{tradeName} ha sido suspendido en {installation}. Motivo indicado: {detail}',
        'Sus anuncios están ocultos; sus miembros todavía pueden leerlo todo.',
      ],
    },
    dealerReinstated: {
      subject: '{tradeName} vuelve a estar abierto en {installation}',
      body: [
        'Se ha levantado la suspensión de {tradeName} en {installation}. Sus anuncios vuelven a ser visibles.',
      ],
    },
    listingApproved: {
      subject: '«{title}» se ha aprobado en {installation}',
      body: ['Su anuncio «{title}» en {installation} se ha revisado y aprobado.'],
    },
    listingRejected: {
      subject: 'Decisión sobre «{title}» en {installation}',
      body: [
        '{kind, select, revision {El cambio de su anuncio «{title}» en {installation} se ha rechazado. Lo que se veía antes sigue igual.} other {Su anuncio «{title}» ya no se ve en {installation}, para nadie y hasta que se apruebe de nuevo.}}',
        'Motivos: {grounds}',
        '{detail}',
        'Lo ha decidido una persona de nuestro equipo, no un programa. Puede cambiar el anuncio y publicarlo de nuevo.',
        'Puede reclamar hasta el {appealUntilAt, date, long}: inicie sesión y denuncie la decisión {decisionId}. Es gratis y lo deciden personas. También puede acudir a un órgano certificado de resolución extrajudicial o a un tribunal.',
      ],
    },
    confirmNotice: {
      subject: 'Confirme su notificación a {installation}',
      body: [
        'Con esta dirección se ha notificado a {installation} un contenido contrario a la ley o que no debería estar ahí. La notificación se revisa en cuanto usted la confirme.',
        'El enlace vale 7 días y funciona una sola vez.',
      ],
      action: 'Confirmar la notificación',
      note: ['Si no ha notificado nada, no haga nada: sin confirmación, la notificación se elimina.'],
    },
    noticeReceived: {
      subject: '{installation} ha recibido su notificación',
      body: [
        'Su notificación se ha registrado con el número {reportId}. Una persona de nuestro equipo la revisa y decide; le escribiremos el resultado.',
      ],
    },
    reportDecided: {
      subject: 'Se ha decidido sobre su denuncia a {installation}',
      body: [
        '{outcome, select, dismissed {Hemos revisado su denuncia {reportId} y no tomamos medidas.} other {Hemos revisado su denuncia {reportId} y hemos tomado medidas.}}',
        '{detail}',
        'Lo ha decidido una persona de nuestro equipo, no un programa. Si no está de acuerdo, puede pedir otra revisión durante seis meses: inicie sesión y denuncie la decisión {reportId}. También puede acudir a un órgano certificado de resolución extrajudicial o a un tribunal.',
      ],
    },
    appealDecided: {
      subject: 'Se ha decidido sobre su reclamación a {installation}',
      body: [
        '{outcome, select, dismissed {Hemos vuelto a revisar la decisión. Se mantiene.} other {Hemos vuelto a revisar la decisión y la hemos cambiado.}} El número de su reclamación: {reportId}',
        '{detail}',
        'Lo ha decidido una persona de nuestro equipo, no un programa. También puede acudir a un órgano certificado de resolución extrajudicial o a un tribunal.',
      ],
    },
    listingsExpire: {
      subject:
        '{count, plural, one {Un anuncio suyo caduca pronto} other {# de sus anuncios caducan pronto}} en {installation}',
      body: [
        '{count, plural, one {El plazo de {titles}} other {El plazo de # de sus anuncios ({titles})}} en {installation} termina el {firstAt, date, long}{count, plural, one {} other { o poco después}}. A partir de entonces nadie {count, plural, one {lo} other {los}} verá.',
        'Renueve lo que siga en venta; lo vendido se puede marcar como vendido.',
      ],
    },
    savedSearchMatches: {
      subject: '{count, plural, one {Un anuncio nuevo} other {Anuncios nuevos}} para «{name}»',
      body: [
        'Su búsqueda «{name}» en {installation} ha encontrado novedades: {newest}{more, plural, =0 {.} one { y un anuncio más.} other { y # anuncios más.}}',
      ],
      action: 'Ver el anuncio más reciente',
      note: [
        'Recibe este correo porque la búsqueda está guardada con un aviso. Puede desactivarlo en sus búsquedas, o todos a la vez en sus ajustes.',
      ],
    },
    messageReceived: {
      subject: 'Mensaje nuevo sobre «{title}»',
      body: ['Alguien le ha escrito en {installation} sobre «{title}».'],
      action: 'Leer el mensaje',
      note: [
        'Mientras le espera un mensaje, no se le avisa de otros. Puede desactivar estos correos para una conversación, o todos a la vez en sus ajustes.',
      ],
    },
    apiClientCreated: {
      subject: 'Nuevo acceso para un programa en {tradeName}',
      body: [
        '{createdBy} ha creado el cliente de API «{name}» para {tradeName} en {installation}. Quien tenga su secreto puede actuar por {tradeName} dentro de sus límites.',
        'Si no lo esperaba, elimine el cliente.',
      ],
    },
  },
};
