import { Button, Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { type Member, MEMBER_ROLES, type MemberRole } from '@proveklar/contract/roles.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { Form } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { isEmail } from '#lib/form-values.ts';
import { formatShortDate } from '#lib/format-compact.ts';
import { inviteMember, membersQuery, settingsKeys, withdrawMember } from './api.ts';
import styles from './settings.module.css';

/** Who works in the portal, and as what. */
export function Members() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(membersQuery);
  return (
    <section className={styles.section} aria-labelledby="members-title">
      <div className={styles.head}>
        <h2 id="members-title">{t('settings.members.title')}</h2>
        <p>{t('settings.members.text')}</p>
      </div>
      {found.isPending && <SkeletonLines label={t('settings.members.loading')} lines={3} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('settings.members.failed_fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.data && (
        <>
          <p>{t('settings.members.owners', { emails: found.data.owners.join(', ') })}</p>
          {found.data.members.length > 0 ? (
            <MemberTable members={found.data.members} />
          ) : (
            <p className="muted">{t('settings.members.none')}</p>
          )}
          <InviteForm />
        </>
      )}
    </section>
  );
}

function MemberTable({ members }: { members: Member[] }) {
  const { t, i18n } = useTranslation('admin');
  const withdraw = useWithdrawing();
  const columns: Column<Member>[] = [
    {
      key: 'email',
      header: t('settings.members.email'),
      primary: true,
      render: ({ email }) => email,
    },
    {
      key: 'role',
      header: t('settings.members.role'),
      render: ({ role }) => t(`settings.members.roles.${role}`),
    },
    {
      key: 'since',
      header: t('settings.members.invited'),
      render: ({ invited_at: at, invited_by: by }) => (
        <>
          {formatShortDate(at, i18n.language)} <span className="muted">· {by}</span>
        </>
      ),
    },
    {
      key: 'accepted',
      header: t('settings.members.accepted'),
      render: ({ accepted_at: at }) =>
        at ? (
          formatShortDate(at, i18n.language)
        ) : (
          <span className="muted">{t('settings.members.not_accepted')}</span>
        ),
    },
    {
      key: 'withdraw',
      header: t('settings.members.actions'),
      render: (member) => (
        <Button
          data-size="sm"
          variant="secondary"
          aria-label={t('settings.members.withdraw.which', { email: member.email })}
          onClick={() => withdraw(member)}
        >
          {t('settings.members.withdraw.open')}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t('settings.members.title')}
      columns={columns}
      rows={members}
      rowKey={({ id }) => String(id)}
    />
  );
}

/** Takes a role away, after a confirmation. */
function useWithdrawing() {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  return ({ id, email, role }: Member) =>
    confirmAction({
      title: t('settings.members.withdraw.title'),
      body: (
        <p>
          {t('settings.members.withdraw.text', {
            email,
            role: t(`settings.members.roles.${role}`),
          })}
        </p>
      ),
      action: t('settings.members.withdraw.action'),
      run: () => withdrawMember(id),
      onDone: (members) => {
        queryClient.setQueryData(settingsKeys.members, members);
        notify(t('settings.members.withdrawn', { email }));
      },
      describeError: (reason) => t('settings.members.failed_withdraw', { reason }),
    });
}

const NOBODY = { email: '', role: 'editor' as MemberRole };

/** Invites a person, or changes the role of one who is invited. */
function InviteForm() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [person, setPerson] = useState(NOBODY);
  const [faults, setFaults] = useState<{ email?: string }>({});
  const invitation = useMutation({
    mutationFn: inviteMember,
    onSuccess: (members, { email, role }) => {
      queryClient.setQueryData(settingsKeys.members, members);
      setPerson(NOBODY);
      notify(
        t('settings.members.is_invited', { email, role: t(`settings.members.roles.${role}`) }),
      );
    },
  });

  function invite() {
    const email = person.email.trim().toLowerCase();
    const isAddress = isEmail(email);
    setFaults(isAddress ? {} : { email: t('settings.members.wrong_email') });
    if (isAddress) invitation.mutate({ ...person, email });
  }

  return (
    <Form
      className={styles.fields}
      aria-label={t('settings.members.invite.title')}
      submit={t('settings.members.invite.action')}
      busy={invitation.isPending}
      faults={faults}
      error={invitation.isError ? errorText(invitation.error) : ''}
      attempt={invitation.submittedAt}
      onSubmit={invite}
    >
      <Textfield
        type="email"
        autoComplete="off"
        label={t('settings.members.invite.email')}
        description={t('settings.members.invite.email_text')}
        value={person.email}
        error={faults.email}
        onChange={(event) => {
          setFaults({});
          setPerson({ ...person, email: event.currentTarget.value });
        }}
      />
      <Field>
        <Label>{t('settings.members.role')}</Label>
        <Field.Description>{t(`settings.members.may.${person.role}`)}</Field.Description>
        <Select
          value={person.role}
          onChange={(event) =>
            setPerson({ ...person, role: event.currentTarget.value as MemberRole })
          }
        >
          {MEMBER_ROLES.map((role) => (
            <Select.Option key={role} value={role}>
              {t(`settings.members.roles.${role}`)}
            </Select.Option>
          ))}
        </Select>
      </Field>
    </Form>
  );
}
