{{/* The chart's name, cut to what a label may hold. */}}
{{- define "lastcard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 53 | trimSuffix "-" }}
{{- end }}

{{/* The name of every object: the release, and the chart unless the release says it. */}}
{{- define "lastcard.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 53 | trimSuffix "-" }}
{{- else if contains (include "lastcard.name" .) .Release.Name }}
{{- .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "lastcard.name" .) | trunc 53 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels that select the pod; never changed by an upgrade. */}}
{{- define "lastcard.selectorLabels" -}}
app.kubernetes.io/name: {{ include "lastcard.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of every object. */}}
{{- define "lastcard.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "lastcard.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
