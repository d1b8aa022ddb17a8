import { Textfield } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './users-screen.module.css';

/** In milliseconds: nobody's list is fetched for every letter. */
const PAUSE = 300;

type UserSearchProps = { email: string; onSearch: (email: string) => void };

export function UserSearch({ email, onSearch }: UserSearchProps) {
  const { t } = useTranslation('admin');
  const [typed, setTyped] = useState(email);
  // What the address had when last seen, and what this field last asked for.
  const [last, setLast] = useState({ seen: email, asked: email });
  if (email !== last.seen) {
    // Changed from elsewhere, such as by the button that shows all; else somebody may be typing on.
    if (email !== last.asked) setTyped(email);
    setLast({ seen: email, asked: email });
  }

  const wanted = typed.trim();
  useEffect(() => {
    const pause = setTimeout(() => {
      if (wanted === email) return;
      setLast(({ seen }) => ({ seen, asked: wanted }));
      onSearch(wanted);
    }, PAUSE);
    return () => clearTimeout(pause);
  }, [wanted, email, onSearch]);

  return (
    <search className={styles.search}>
      <Textfield
        type="search"
        label={t('users.search')}
        autoComplete="off"
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </search>
  );
}
