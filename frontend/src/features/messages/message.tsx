import { Alert, Button, ToggleGroup } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import { type Message, SKIP_REASONS } from '@proveklar/contract/messages.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, ShareBar, StatTiles } from '#components/admin/admin-screen.tsx';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { useIsOwner } from '#components/admin/role.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { useSession } from '#lib/session.ts';
import {
  audienceQuery,
  deleteMessage,
  messageQuery,
  messagesKeys,
  previewQuery,
  startMessage,
  stopMessage,
  testMessage,
} from './api.ts';
import { MessageForm, Reach } from './message-form.tsx';
import { StateTag, subjectOf } from './messages.tsx';
import styles from './messages.module.css';

/** A new message, which has no page of its own until it is saved. */
export function NewMessagePage() {
  const { t } = useTranslation('admin');
  const navigate = useNavigate();
  return (
    <AdminScreen title={t('messages.write')} lead={t('messages.write_lead')} actions={<Back />}>
      <section className={styles.part}>
        <MessageForm
          message={undefined}
          onWrite={() => undefined}
          onSaved={({ id }) =>
            void navigate({ to: '/admin/dashboard/messages/$id', params: { id }, replace: true })
          }
        />
      </section>
    </AdminScreen>
  );
}

/** One message: a draft to edit, test and send, or what came of it. */
export function MessagePage() {
  const { id } = useParams({ from: '/identified/admin/dashboard/messages/$id' });
  // The key resets the state for another message.
  return <OneMessage key={id} id={id} />;
}

function Back() {
  const { t } = useTranslation('admin');
  return (
    <ButtonLink to="/admin/dashboard/messages" variant="tertiary" data-size="sm">
      <ArrowLeftIcon aria-hidden />
      {t('messages.back')}
    </ButtonLink>
  );
}

function OneMessage({ id }: { id: string }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(messageQuery(id));
  const { data: message, error } = found;
  // 400: the address has an invalid id.
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <AdminScreen title={message ? subjectOf(message.texts) : t('messages.one')} actions={<Back />}>
      {found.isPending && <SkeletonLines label={t('messages.loading_one')} lines={8} />}
      {isMissing && (
        <EmptyState title={t('messages.missing')}>
          <p>{t('messages.missing_text')}</p>
        </EmptyState>
      )}
      {found.isError && !isMissing && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('messages.failed.fetch_one', { status: statusText(error) })}
        </RetryAlert>
      )}
      {message &&
        !isMissing &&
        (message.state === 'draft' ? (
          <Draft message={message} />
        ) : (
          <>
            <Outcome message={message} />
            <Preview message={message} />
          </>
        ))}
    </AdminScreen>
  );
}

function Draft({ message }: { message: Message }) {
  const { t } = useTranslation('admin');
  const [isDirty, setDirty] = useState(false);
  return (
    <>
      <section className={styles.part}>
        <MessageForm
          message={message}
          onWrite={() => setDirty(true)}
          onSaved={() => setDirty(false)}
        />
      </section>
      <Preview message={message} />
      <section className={styles.part} aria-labelledby="send">
        <h2 id="send">{t('messages.send.title')}</h2>
        <Send message={message} isDirty={isDirty} />
      </section>
    </>
  );
}

const languagesOf = ({ texts }: Message): AppLanguage[] =>
  (['no', 'en'] as const).filter((code) => texts[code]);

/** The mail as learners get it. */
function Preview({ message }: { message: Message }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const languages = languagesOf(message);
  const [chosen, setChosen] = useState<AppLanguage>();
  const language = chosen && languages.includes(chosen) ? chosen : languages[0]!;
  const found = useQuery(previewQuery(message, language));
  return (
    <section className={styles.part} aria-labelledby="preview">
      <h2 id="preview">{t('messages.preview.title')}</h2>
      {languages.length > 1 && (
        <ToggleGroup
          value={language}
          data-size="sm"
          data-toggle-group={t('messages.preview.language')}
          onChange={(value) => setChosen(languages.find((code) => code === value))}
        >
          {languages.map((code) => (
            <ToggleGroup.Item key={code} value={code}>
              {t(`messages.text.${code}`)}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup>
      )}
      {found.isPending && <SkeletonLines label={t('messages.preview.loading')} lines={6} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('messages.failed.preview', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && (
        <article className={styles.mail} lang={languageTag(language)}>
          <p>{found.data.subject}</p>
          <pre>{found.data.text}</pre>
        </article>
      )}
    </section>
  );
}

/** The test mail, and then the message to all. */
function Send({ message, isDirty }: { message: Message; isDirty: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const { user } = useSession();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { id, kind, audience, is_tested: isTested } = message;
  const languages = languagesOf(message);
  const { data: reach } = useQuery(audienceQuery({ kind, audience, languages }));
  const refetch = () => queryClient.invalidateQueries({ queryKey: messagesKeys.all });
  const test = useMutation({
    mutationFn: () => testMessage(id),
    onSuccess: () => notify(t('messages.send.testing', { email: user?.email ?? '' })),
    onError: (error) => notify(t('messages.failed.test', { reason: errorText(error) })),
    onSettled: refetch,
  });
  const count = (reach?.total ?? 0) - (reach?.recent ?? 0) - (reach?.refused_before ?? 0);
  const n = formatCount(count, i18n.language);

  const askToSend = () =>
    confirmAction({
      title: t('messages.send.sure', { count, n }),
      body: (
        <>
          <p>{t('messages.send.sure_text', { subject: subjectOf(message.texts) })}</p>
          <p>{t('messages.send.pace')}</p>
        </>
      ),
      action: t('messages.send.action', { count, n }),
      tone: 'primary',
      run: () => startMessage(id),
      onDone: (started) => {
        queryClient.setQueryData(messageQuery(id).queryKey, started);
        return refetch();
      },
      describeError: (reason) => t('messages.failed.start', { reason }),
    });
  const askToDelete = () =>
    confirmAction({
      title: t('messages.delete_sure'),
      body: <p>{t('messages.delete_text')}</p>,
      action: t('messages.delete'),
      run: () => deleteMessage(id),
      onDone: async () => {
        await navigate({ to: '/admin/dashboard/messages', replace: true });
        queryClient.removeQueries({ queryKey: messagesKeys.one(id) });
        notify(t('messages.deleted'));
        return refetch();
      },
      describeError: (reason) => t('messages.failed.delete', { reason }),
    });

  return (
    <>
      <Reach kind={kind} audience={audience} languages={languages} />
      <p id="why-not" role="status">
        {t(
          (isDirty && 'messages.send.save_first') ||
            (reach && count === 0 && 'messages.send.none') ||
            (isTested ? 'messages.send.tested' : 'messages.send.test_first'),
        )}
      </p>
      <div className={styles.actions}>
        <BusyButton
          variant={isTested ? 'secondary' : 'primary'}
          busy={test.isPending}
          resting={isDirty}
          aria-describedby="why-not"
          onClick={() => test.mutate()}
        >
          {t('messages.send.test')}
        </BusyButton>
        <BusyButton
          variant={isTested ? 'primary' : 'secondary'}
          busy={false}
          resting={isDirty || !isTested || count === 0}
          aria-describedby="why-not"
          onClick={askToSend}
        >
          {t('messages.send.open')}
        </BusyButton>
        <Button variant="tertiary" data-color="danger" onClick={askToDelete}>
          {t('messages.delete')}
        </Button>
      </div>
    </>
  );
}

/** How far a message has come, counted while it is sent. */
function Outcome({ message }: { message: Message }) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const { id, state, counts, total, started_at, ended_at } = message;
  const number = (count: number) => formatCount(count, i18n.language);
  const skipped = Object.values(counts.skipped).reduce((sum, count) => sum + count, 0);
  const done = counts.sent + counts.refused + skipped;
  const refetch = () => queryClient.invalidateQueries({ queryKey: messagesKeys.all });
  const change = useMutation({
    mutationFn: () => (state === 'sending' ? stopMessage(id) : startMessage(id)),
    onSuccess: (changed) => queryClient.setQueryData(messageQuery(id).queryKey, changed),
    onSettled: refetch,
  });
  return (
    <section className={styles.part} aria-labelledby="outcome">
      <h2 id="outcome">{t('messages.outcome')}</h2>
      <p className={styles.state} role="status">
        <StateTag state={state} />
        {started_at && (
          <span>
            {t('messages.started', { at: formatShortDateTime(started_at, i18n.language) })}
          </span>
        )}
        {ended_at && (
          <span>{t('messages.ended', { at: formatShortDateTime(ended_at, i18n.language) })}</span>
        )}
      </p>
      {state !== 'sent' && (
        <ShareBar
          label={t('messages.progress')}
          amount={t('messages.of_total', { n: number(done), total: number(total ?? 0) })}
          share={total ? Math.min(1, done / total) : null}
        />
      )}
      <StatTiles
        tiles={[
          { label: t('messages.count.sent'), value: number(counts.sent) },
          { label: t('messages.count.queued'), value: number(counts.queued) },
          { label: t('messages.count.refused'), value: number(counts.refused) },
          { label: t('messages.count.skipped'), value: number(skipped) },
        ]}
      />
      {skipped > 0 && (
        <ul className={styles.skipped}>
          {SKIP_REASONS.filter((reason) => counts.skipped[reason] > 0).map((reason) => (
            <li key={reason}>
              {t(`messages.skipped.${reason}`, {
                count: counts.skipped[reason],
                n: number(counts.skipped[reason]),
              })}
            </li>
          ))}
        </ul>
      )}
      {change.isError && (
        <Alert data-color="danger" data-size="sm" role="alert">
          {t('messages.failed.change', { reason: errorText(change.error) })}
        </Alert>
      )}
      <div className={styles.actions}>
        {state !== 'sent' && (
          <BusyButton
            variant="secondary"
            {...(state === 'sending' && { 'data-color': 'danger' })}
            busy={change.isPending}
            onClick={() => change.mutate()}
          >
            {t(state === 'sending' ? 'messages.stop' : 'messages.go_on')}
          </BusyButton>
        )}
        {isOwner && (
          <Link to="/admin/dashboard/audit" search={{ subject: id }} className="ds-link">
            {t('messages.in_log')}
          </Link>
        )}
      </div>
      {state === 'stopped' && <p>{t('messages.stopped_text')}</p>}
    </section>
  );
}
