# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Completion of bcoslog for bash: the tool itself knows what there is.

_bcoslog() {
	local words=() word i
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		# After -- stands a command.
		if [ "$word" = -- ] && [ "$i" -lt "$COMP_CWORD" ]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			elif [ "$COMP_CWORD" = $((i + 1)) ]; then
				# Without the package bash-completion; arguments of the command are files.
				mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u)
			fi
			return
		fi
		# bash parts --option=value.
		[ "$word" != = ] || { [ "$i" -lt "$COMP_CWORD" ] && continue || word=; }
		words+=("$word")
	done
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null | cut -f 1)
}
# File names where the tool has nothing to say.
complete -o default -F _bcoslog bcoslog
